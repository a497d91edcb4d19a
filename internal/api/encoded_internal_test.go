package api

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestATopIsPutIntoBytesOnceForAllWhoseOwnItIsNot(t *testing.T) {
	mode := &game.Mode{Name: "m", Max: 10}
	top := game.Page{
		Board: game.BoardOf(mode, game.AllTime.Of(game.Date{}), game.Scope{}), Total: 3, More: true, Next: "next",
		Entries: []game.Entry{{Rank: 1, Player: "a", Score: 9}, {Rank: 2, Player: "b", Score: 8}},
	}
	e := newEncodedPages()
	asked := func(page game.Page, me string) (body []byte, own bool) {
		t.Helper()
		body, tag, own := e.encode(page, me, "")
		wantBody, wantTag := encodePage(newPageAnswer(page, me))
		require.Equal(t, string(wantBody), string(body))
		require.Equal(t, wantTag, tag)
		return body, own
	}
	first, own := asked(top, "")
	require.False(t, own)
	again, own := asked(top, "c")
	require.False(t, own)
	require.Same(t, &first[0], &again[0])

	mine, own := asked(top, "a")
	require.True(t, own)
	require.NotSame(t, &first[0], &mine[0])
	again, _ = asked(top, "")
	require.Same(t, &first[0], &again[0], "and others' stays")

	shorter := top
	shorter.Entries = top.Entries[:1:1]
	asked(shorter, "")
	for name, change := range map[string]func(*game.Page){
		"the total":     func(p *game.Page) { p.Total++ },
		"the moment":    func(p *game.Page) { p.UpdatedAt = p.UpdatedAt.Add(time.Hour) },
		"the end":       func(p *game.Page) { p.Closed = true },
		"the cursor":    func(p *game.Page) { p.Next = "" },
		"the rows":      func(p *game.Page) { p.Entries = slices.Clone(p.Entries); p.Entries[1].Profile.Name = "B" },
		"what is stale": func(p *game.Page) { p.Stale = errors.New("Redis refuses") },
		"the offset":    func(p *game.Page) { p.Position = 7; p.Entries = []game.Entry{{Rank: 8, Player: "h"}} },
		"nobody":        func(p *game.Page) { p.Entries = nil },
	} {
		t.Run(name, func(t *testing.T) {
			changed := top
			change(&changed)
			asked(changed, "")
			asked(top, "")
		})
	}
	_, tag, _ := e.encode(game.Page{Board: top.Board}, "", historyUnavailable)
	_, other, _ := e.encode(game.Page{Board: top.Board}, "", "")
	require.NotEqual(t, tag, other)
}
