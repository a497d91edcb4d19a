package upstash

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"sync"
)

// Script is a Lua script, sent by its digest: the source travels only when
// the database does not know it yet. Immutable and safe for concurrent use.
type Script struct {
	source string
	calls  func(Reply) int

	hash sync.Once // the digest is worked out when it is first sent
	sha1 string
}

// digestLength is that of a SHA-1 in hexadecimal.
const digestLength = 2 * sha1.Size

// NewScript prepares a script. calls tells, from its answer, how many inner
// redis.call the script made, for the bill; nil means none. The answer may be
// an error of the script's own or of a call within (see Reply.Err): what ran
// before it, the failed call included, is on the bill too.
//
// It does no work, so the compiler lays a script that is a package's variable out as
// data: that costs nothing when a program starts, and a program that does not run the
// script does not link it.
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

// Command is one run of the script. It goes out as EVALSHA; where the
// database answers NOSCRIPT it is sent again as EVAL, within the same call. In
// a pipeline everything behind it is sent again too, so that it sees the
// script's effect, if all of that is safe to repeat; otherwise the script runs
// after the pipeline's other commands. MultiExec always sends EVAL.
func (s *Script) Command(keys []string, args ...string) Command {
	all := make([]string, 0, 1+len(keys)+len(args))
	all = append(all, strconv.Itoa(len(keys)))
	all = append(all, keys...)
	all = append(all, args...)
	return Command{script: s, args: all}
}
