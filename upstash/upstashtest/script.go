package upstashtest

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/framedle/leaderboards/upstash/upstashtest/engine"
)

// lockFlag is a flag of a script's first line that only Upstash knows.
const lockFlag = "allow-key-locking"

// maxAliases bounds the digests that shebangs remembers.
const maxAliases = 10_000

// shebangs takes Upstash's own flag out of scripts and translates their digests: a client
// names a script by the digest of the text it sent, the engine by the digest of the text
// it got. Safe for concurrent use.
type shebangs struct {
	any     atomic.Bool
	mu      sync.RWMutex
	aliases map[string]string // digest as sent -> digest at the engine
}

// rewrite changes, in place, the arguments of a command that carries a script or the
// digest of one.
func (s *shebangs) rewrite(c *command) {
	switch {
	case c.kind.script && strings.HasPrefix(c.kind.name, "eval") && len(c.args) > 1:
		if strings.HasPrefix(c.kind.name, "evalsha") {
			s.translate(c.args[1:2])
		} else {
			s.strip(c.args, 1)
		}
	case c.kind.name == "script" && len(c.args) > 2:
		switch sub := string(c.args[1]); {
		case strings.EqualFold(sub, "LOAD"):
			c.digest = s.strip(c.args, 2)
		case strings.EqualFold(sub, "EXISTS"):
			s.translate(c.args[2:])
		}
	}
}

// strip takes the flag out of the script at args[at]. It returns the digest of the script
// as it was sent, or "" if the script has no such flag. The first line stays, if
// empty, so that the line numbers of errors stay right.
func (s *shebangs) strip(args [][]byte, at int) (digest string) {
	script := args[at]
	if !bytes.HasPrefix(script, []byte("#!lua")) {
		return ""
	}
	line, rest, _ := bytes.Cut(script, []byte("\n"))
	kept := firstLine(string(line))
	if kept == string(line) {
		return ""
	}
	stripped := append([]byte(kept+"\n"), rest...)
	digest = engine.ScriptSHA(string(script))
	s.remember(digest, engine.ScriptSHA(string(stripped)))
	args[at] = stripped
	return digest
}

// firstLine is line without the flag; it is "" if the flag was the line's only
// content.
func firstLine(line string) string {
	isLock := func(flag string) bool { return flag == lockFlag }
	var kept []string
	found := false
	for word := range strings.FieldsSeq(line) {
		flags, ok := strings.CutPrefix(word, "flags=")
		if list := strings.Split(flags, ","); ok && slices.ContainsFunc(list, isLock) {
			found = true
			list = slices.DeleteFunc(list, isLock)
			if len(list) == 0 {
				continue
			}
			word = "flags=" + strings.Join(list, ",")
		}
		kept = append(kept, word)
	}
	switch {
	case !found:
		return line
	case len(kept) == 1:
		return ""
	}
	return strings.Join(kept, " ")
}

func (s *shebangs) remember(sent, kept string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.aliases == nil || len(s.aliases) >= maxAliases {
		s.aliases = map[string]string{}
	}
	s.aliases[sent] = kept
	s.any.Store(true)
}

func (s *shebangs) translate(digests [][]byte) {
	if !s.any.Load() {
		return
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for i, digest := range digests {
		if kept, ok := s.aliases[strings.ToLower(string(digest))]; ok {
			digests[i] = []byte(kept)
		}
	}
}
