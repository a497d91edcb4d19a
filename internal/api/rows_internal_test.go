package api

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestPagesAreWrittenAsJSONIs holds what is written by hand against encoding/json, for
// all that the fields may hold.
func TestPagesAreWrittenAsJSONIs(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "user_a", "<b>&", "\u2028", "\xff", "\"\\", "Ana María", "\x00\n"}))
	rapid.Check(t, func(t *rapid.T) {
		p := pageAnswer{
			boardAnswer: boardAnswer{Mode: text.Draw(t, "mode"), Period: text.Draw(t, "period"), Key: text.Draw(t, "key"), Scope: text.Draw(t, "scope")},
			Total:       rapid.Int64().Draw(t, "total"), UpdatedAt: text.Draw(t, "updated"), Closed: rapid.Bool().Draw(t, "closed"),
			Stale: rapid.Bool().Draw(t, "stale"), NextCursor: text.Draw(t, "cursor"), History: text.Draw(t, "history"),
			Entries: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entryAnswer {
				return entryAnswer{
					Rank: rapid.Int64().Draw(t, "rank"), Player: text.Draw(t, "player"),
					Score:  json.RawMessage(rapid.StringMatching(`-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,6})?`).Draw(t, "score")),
					Values: rapid.SampledFrom([]json.RawMessage{nil, json.RawMessage(`{"wpm":92.5,"accuracy":98.2}`)}).Draw(t, "values"),
					Name:   text.Draw(t, "name"), Picture: text.Draw(t, "picture"), Country: text.Draw(t, "country"), Me: rapid.Bool().Draw(t, "me"),
				}
			}), 0, 4).Draw(t, "entries"),
		}
		if p.Entries == nil {
			p.Entries = []entryAnswer{}
		}
		isAsJSON(t, p)
		found := lookupAnswer{boardAnswer: p.boardAnswer, Entries: p.Entries}
		want, err := json.Marshal(found)
		require.NoError(t, err)
		require.Equal(t, string(want), string(found.appendTo(nil)))
		around := aroundAnswer{pageAnswer: p}
		isAsJSON(t, around)
		rank := rapid.Int64().Draw(t, "own rank")
		around.Rank, around.Score = &rank, json.RawMessage("12.50")
		isAsJSON(t, around)
		around.Values = json.RawMessage(`{"wpm":92.5}`)
		isAsJSON(t, around)
	})
}

func isAsJSON(t *rapid.T, p page) {
	want, err := json.Marshal(p)
	require.NoError(t, err)
	got, updated := p.appendTo(nil)
	require.Equal(t, string(want), string(got))
	var at string
	require.NoError(t, json.Unmarshal(got[updated[0]:updated[1]], &at))
}
