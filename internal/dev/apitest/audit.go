package apitest

import "strings"

// Audited is the section of a game that records what submissions do, beside [Keeping].
const Audited = "audit: {since: 2026-01-01}\n"

// Recording makes a call in a game that records what submissions do.
func Recording(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		was := s.Game
		s.Game = Keeping + Audited + strings.Replace(s.Game, Keeping, "", 1)
		s.Handler = s.Process()
		s.Game = was
		return c(s)
	}
}
