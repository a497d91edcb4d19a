package api

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// encodedPages keeps the tops of boards as JSON: a page that many ask for is encoded once for
// all of them, for as long as this process holds the same page.
type encodedPages struct {
	byTop *lru.Cache[topID, encodedPage]
}

// topID names a board, and the number of its top entries.
type topID struct {
	board   string
	entries int
}

type encodedPage struct {
	of   game.Page
	body []byte // nobody may change it
	tag  string
}

// rememberEncoded bounds encodedPages: at 200 rows of some 150 bytes each, 2 MB.
const rememberEncoded = 64

func newEncodedPages() encodedPages {
	return encodedPages{lru.New[topID, encodedPage](rememberEncoded)}
}

// encode returns a page's body, its tag, and whether the caller's own row is in it. A page
// with an own row is encoded for that caller only.
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

// isSamePage reports whether two pages of a board are the same one. It compares the address
// of their entries, which nobody changes once a page has been answered.
func isSamePage(a, b game.Page) bool {
	return &a.Entries[0] == &b.Entries[0] && a.Total == b.Total && a.UpdatedAt.Equal(b.UpdatedAt) &&
		a.Closed == b.Closed && a.Next == b.Next
}
