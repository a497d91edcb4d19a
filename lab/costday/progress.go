package costday

import (
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

// Progress counts the requests of a run, to tell how far the run has come. The zero value
// is ready for use. A nil Progress counts nothing. It is safe for concurrent use.
type Progress struct {
	done, all atomic.Int64
	doing     atomic.Pointer[string]
}

// Expect adds requests that are to come.
func (p *Progress) Expect(requests int) {
	if p != nil {
		p.all.Add(int64(requests))
	}
}

// Done counts requests that are answered.
func (p *Progress) Done(requests int) {
	if p != nil {
		p.done.Add(int64(requests))
	}
}

// Doing sets the name of the current part of the run.
func (p *Progress) Doing(what string) {
	if p != nil {
		p.doing.Store(&what)
	}
}

// State is how far the run has come.
func (p *Progress) State() progress.State {
	s := progress.State{Count: p.done.Load(), Unit: "requests"}
	if all := p.all.Load(); all > 0 {
		s.Share = float64(s.Count) / float64(all)
	}
	if doing := p.doing.Load(); doing != nil {
		s.Note = *doing
	}
	return s
}
