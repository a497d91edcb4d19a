package upstash

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"sync"
)

// Script is a Lua script that is sent by its digest: the source travels only if the database
// does not know it yet. It is immutable and safe for concurrent use.
type Script struct {
	source string
	calls  func(Reply) int

	hash sync.Once // the digest is computed when it is first needed
	sha1 string
}

// digestLength is the length of a SHA-1 in hexadecimal.
const digestLength = 2 * sha1.Size

// NewScript prepares a script. calls returns, for the bill, how many redis.call the script
// made, according to its answer; nil means none. The answer may be an error, of the script's
// own or of a command in it (see Reply.Err): what ran before it, including the failed command,
// is on the bill too.
//
// NewScript does no work, so the compiler stores a script in a package variable as data: that
// costs nothing at the start of a program, and a program that does not run the script does not
// link it.
func NewScript(source string, calls func(Reply) int) *Script {
	return &Script{source: source, calls: calls}
}

func (s *Script) digest() string {
	s.hash.Do(func() {
		sum := sha1.Sum([]byte(s.source))
		s.sha1 = hex.EncodeToString(sum[:])
	})
	return s.sha1
}

// Command makes one run of the script. It is sent as EVALSHA; if the database answers
// NOSCRIPT, it is sent again as EVAL, within the same call. In a pipeline, everything after it
// is sent again too, so that it sees the script's effect, if all of that is safe to repeat;
// otherwise the script runs after the pipeline's other commands. MultiExec always sends EVAL.
func (s *Script) Command(keys []string, args ...string) Command {
	all := make([]string, 0, 1+len(keys)+len(args))
	all = append(all, strconv.Itoa(len(keys)))
	all = append(all, keys...)
	all = append(all, args...)
	return Command{script: s, args: all}
}
