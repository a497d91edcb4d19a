package api

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// encodedPages are the tops of boards as they were last written: what many ask for is
// put into bytes once for all of them, as long as this process holds the same page.
type encodedPages struct {
	byTop *lru.Cache[topID, encodedPage]
}

// topID names a board, and how many entries of it.
type topID struct {
	board   string
	entries int
}

type encodedPage struct {
	of   game.Page
	body []byte // nobody may change it
	tag  string
}

// rememberEncoded bounds them: at 200 rows of some 150 bytes each, 2 MB.
const rememberEncoded = 64

func newEncodedPages() encodedPages {
	return encodedPages{lru.New[topID, encodedPage](rememberEncoded)}
}

// encode is a page's body and its tag, and whether the caller's own row is in it. A page
// with somebody's own row is written for that caller alone.
func (e encodedPages) encode(page game.Page, me string, history string) (body []byte, tag string, own bool) {
	own = me != "" && !page.Board.OfTeams() && slices.ContainsFunc(page.Entries, func(e game.Entry) bool { return e.Player == me })
	isTop := page.Position == 0 && len(page.Entries) > 0 && page.Stale == nil && history == ""
	if own || !isTop {
		answer := newPageAnswer(page, me)
		answer.History = history
		body, tag = encodePage(answer)
		return body, tag, own
	}
	id := topID{page.Board.Key, len(page.Entries)}
	held, ok := e.byTop.Get(id)
	if !ok || !isSamePage(held.of, page) {
		held = encodedPage{of: page}
		held.body, held.tag = encodePage(newPageAnswer(page, ""))
		e.byTop.Add(id, held)
	}
	return held.body, held.tag, false
}

// isSamePage reports whether a board's page is the very one that another was: its entries
// are the same memory, in which nobody changes anything once a page has been answered.
func isSamePage(a, b game.Page) bool {
	return &a.Entries[0] == &b.Entries[0] && a.Total == b.Total && a.UpdatedAt.Equal(b.UpdatedAt) &&
		a.Closed == b.Closed && a.Next == b.Next
}
