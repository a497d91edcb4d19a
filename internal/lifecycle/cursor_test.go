package lifecycle_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// mostForAPage is what a request for a page may cost, whatever its cursor.
const mostForAPage = 4

// plainBoard is a model of a board. It writes stored scores directly to Redis, so that many
// are equal to the last bit.
type plainBoard struct {
	k       *kit
	b       game.Board
	entries map[string]float64
}

func (p *plainBoard) do(tb require.TestingT, command ...string) {
	_, err := p.k.server.Redis().Do(context.Background(), command...)
	require.NoError(tb, err)
}

func (p *plainBoard) put(tb require.TestingT, stored map[string]float64) {
	maps.Copy(p.entries, stored)
	for some := range slices.Chunk(slices.Collect(maps.Keys(stored)), 1000) {
		command := []string{"ZADD", p.b.Key}
		for _, player := range some {
			command = append(command, game.FormatStored(stored[player]), player)
		}
		p.do(tb, command...)
	}
}

func (p *plainBoard) remove(tb require.TestingT, players ...string) {
	for _, player := range players {
		delete(p.entries, player)
	}
	for some := range slices.Chunk(players, 1000) {
		p.do(tb, append([]string{"ZREM", p.b.Key}, some...)...)
	}
}

// rows returns the board in order, with ranks in the mode's tie style.
func (p *plainBoard) rows() []modelRow {
	players := slices.SortedFunc(maps.Keys(p.entries), func(x, y string) int {
		up := cmp.Or(cmp.Compare(p.entries[x], p.entries[y]), strings.Compare(x, y))
		if p.b.Mode.Order == game.Asc {
			return up
		}
		return -up
	})
	rows := make([]modelRow, len(players))
	for i, player := range players {
		rows[i] = modelRow{player, p.b.Mode.Decode(p.entries[player]), int64(i) + 1}
		if i > 0 && p.b.Mode.Ties == game.Shared && rows[i].score == rows[i-1].score {
			rows[i].rank = rows[i-1].rank
		}
	}
	return rows
}

// goesOn checks the page after the last entry of the previous page, with that entry's place at
// that time: it must have everybody who is after that place now, in order.
func (p *plainBoard) goesOn(tb require.TestingT, last string, stored float64, page game.Page, limit int) {
	standing, current := p.entries[last]
	p.entries[last] = stored
	rows := p.rows()
	at := slices.IndexFunc(rows, func(row modelRow) bool { return row.player == last })
	delete(p.entries, last)
	if current {
		p.entries[last] = standing
	}
	behind := map[string]bool{}
	for _, row := range rows[at+1:] {
		behind[row.player] = true
	}
	if current && standing != stored { // the player may have moved to a place after it
		behind[last] = (standing < stored) == (p.b.Mode.Order == game.Desc)
	}
	want := []modelRow{}
	for _, row := range p.rows() {
		if behind[row.player] && len(want) < limit {
			want = append(want, row)
		}
	}
	got := []modelRow{}
	for _, e := range page.Entries {
		got = append(got, modelRow{e.Player, e.Score, e.Rank})
	}
	require.Equal(tb, want, got)
	require.GreaterOrEqual(tb, page.Total, got0(got))
}

func got0(rows []modelRow) int64 {
	if len(rows) == 0 {
		return 0
	}
	return rows[len(rows)-1].rank
}

// Whoever moves between two pages, also the last entry of the previous page, and however many
// share one stored score: the walk continues after the place that this entry had, for at most
// 4 commands, including names and total.
func TestAWalkGoesOnWhoeverMoves(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for _, name := range []string{"best", "golf", "shared_best", "shared_fastest", "latest"} {
			t.Run(name, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) {
					k.empty()
					k.clock.Set(noon)
					p := &plainBoard{k, k.dayBoard(k.process(), name), map[string]float64{}}
					// A few true scores, some of them with many players; of those, many share
					// the stored score, or each has its own.
					scores := rapid.IntRange(1, 4).Draw(rt, "scores")
					players := rapid.SampledFrom([]int{12, 300, 3000}).Draw(rt, "players")
					exact := rapid.Bool().Draw(rt, "stored scores are equal")
					stored := func(score, n int) float64 {
						if exact {
							return float64(score)
						}
						return float64(score) + float64(n%1000+1)/65536
					}
					all := map[string]float64{}
					for i := range players {
						all[fmt.Sprintf("p%05d", i*7919%players)] = stored(i%scores, i)
					}
					p.put(rt, all)
					limit := rapid.SampledFrom([]int{1, 7, 100, 200}).Draw(rt, "limit")
					request := game.PageRequest{Limit: int64(limit), Offset: int64(rapid.IntRange(0, players-1).Draw(rt, "offset"))}
					page, err := k.process().Boards.Page(rt.Context(), p.b, request)
					require.NoError(rt, err)
					for page.Next != "" && rapid.IntRange(0, 5).Draw(rt, "go on") > 0 {
						last := page.Entries[len(page.Entries)-1]
						p.shuffle(rt, last.Player, stored, scores)
						process := k.process()
						next := page.Next
						commands, _ := process.spent(func() {
							page, err = process.Boards.Page(rt.Context(), p.b, game.PageRequest{Limit: int64(limit), Cursor: next})
						})
						require.NoError(rt, err)
						require.LessOrEqual(rt, commands, int64(mostForAPage))
						p.goesOn(rt, last.Player, last.Stored, page, limit)
					}
				})
			})
		}
	})
}

// shuffle lets players come, go and move, and sometimes also the last one of the page.
func (p *plainBoard) shuffle(rt *rapid.T, last string, stored func(score, n int) float64, scores int) {
	some := slices.Sorted(maps.Keys(p.entries))
	from := rapid.IntRange(0, len(some)).Draw(rt, "movers from")
	movers := some[from:min(len(some), from+rapid.SampledFrom([]int{0, 3, 30, 900}).Draw(rt, "movers"))]
	if rapid.Bool().Draw(rt, "the last one too") {
		movers = append(slices.Clone(movers), last)
	}
	switch rapid.SampledFrom([]string{"go", "move", "come", "stay"}).Draw(rt, "they") {
	case "go":
		p.remove(rt, movers...)
	case "move":
		to := map[string]float64{}
		score := rapid.IntRange(0, scores).Draw(rt, "to")
		for i, player := range movers {
			to[player] = stored(score, i)
		}
		p.put(rt, to)
	case "come":
		newcomers := map[string]float64{}
		score := rapid.IntRange(0, scores).Draw(rt, "with")
		for i, player := range movers {
			newcomers[player+rapid.SampledFrom([]string{"", "x"}).Draw(rt, "name")+"-"] = stored(score, i)
		}
		p.put(rt, newcomers)
	}
}

// Twenty thousand players share one score, and thousands of them move up together with the
// last one of the page: the next page costs no more than others.
func TestAWalkThroughAHugeTieStaysCheap(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		const players, moving = 20_000, 3000
		for name, moves := range map[string]func(p *plainBoard, player func(int) string){
			"up from before": func(p *plainBoard, player func(int) string) {
				to := map[string]float64{}
				for i := range moving {
					to[player(players-1-i)] = 900
				}
				p.put(t, to)
			},
			"up from behind": func(p *plainBoard, player func(int) string) {
				to := map[string]float64{}
				for i := range moving {
					to[player(i)] = 900
				}
				p.put(t, to)
			},
			"away from before": func(p *plainBoard, player func(int) string) {
				for i := range moving {
					p.remove(t, player(players-1-i))
				}
			},
			"in from above": func(p *plainBoard, player func(int) string) {
				to := map[string]float64{}
				for i := range moving {
					to[fmt.Sprintf("new%05d", i)] = 900
				}
				p.put(t, to)
			},
		} {
			t.Run(name, func(t *testing.T) {
				k.empty()
				p := &plainBoard{k, game.BoardOf(k.mode("best"), game.Day.Of(game.DateOf(noon)), game.Scope{}), map[string]float64{}}
				player := func(i int) string { return fmt.Sprintf("p%05d", i) }
				all := map[string]float64{}
				for i := range players {
					all[player(i)] = 800
				}
				p.put(t, all)
				page, err := k.process().Boards.Page(t.Context(), p.b, game.PageRequest{Limit: 100, Offset: 10_000})
				require.NoError(t, err)
				last := page.Entries[99]
				moves(p, player)
				p.put(t, map[string]float64{last.Player: 950})
				process := k.process()
				commands, _ := process.spent(func() {
					page, err = process.Boards.Page(t.Context(), p.b, game.PageRequest{Limit: 100, Cursor: page.Next})
				})
				require.NoError(t, err)
				require.LessOrEqual(t, commands, int64(mostForAPage))
				p.goesOn(t, last.Player, last.Stored, page, 100)
			})
		}
	})
}

// A cursor that the board did not make costs nothing: neither an invented one nor one of
// another board, of another secret, or from before cursors were sealed.
func TestForeignCursorsCostNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p := &plainBoard{k, k.dayBoard(k.process(), "best"), map[string]float64{}}
		for i := range 300 {
			p.entries[fmt.Sprintf("p%03d", i)] = 800
		}
		p.put(t, p.entries)
		process := k.process()
		page, err := process.Boards.Page(t.Context(), p.b, game.PageRequest{Limit: 10})
		require.NoError(t, err)
		sealed, err := base64.RawURLEncoding.DecodeString(page.Next)
		require.NoError(t, err)
		unsealed := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
		cursors := []string{
			"", "x", "!", page.Next + "\n", page.Next + "=", page.Next[:len(page.Next)-4], page.Next + "AAAA", strings.Repeat("A", 4096),
			unsealed(p.b.Key + " 800 10 p010"), unsealed(p.b.Key + " 800 4000000000 -"), unsealed("lb:alltime:xp 800 4000000000 -"),
		}
		for i := range sealed {
			for _, bit := range []byte{1, 0x80} {
				changed := slices.Clone(sealed)
				changed[i] ^= bit
				cursors = append(cursors, base64.RawURLEncoding.EncodeToString(changed))
			}
		}
		refuses := func(s *lifecycle.Parts, b game.Board, cursor string) {
			before := k.client.Meter().Usage().Commands
			require.ErrorIs(t, s.Boards.CheckCursor(b, cursor), leaderboard.ErrCursor)
			_, err := s.Boards.CursorPlace(b, cursor)
			require.ErrorIs(t, err, leaderboard.ErrCursor)
			if cursor != "" {
				_, err = s.Boards.Page(t.Context(), b, game.PageRequest{Limit: 10, Cursor: cursor})
				require.ErrorIs(t, err, leaderboard.ErrCursor)
			}
			require.Equal(t, before, k.client.Meter().Usage().Commands)
		}
		for _, cursor := range cursors {
			refuses(process.Parts, p.b, cursor)
		}
		refuses(process.Parts, k.dayBoard(process, "first"), page.Next)
		refuses(process.Parts, weekBoard(k, process, "best"), page.Next)
		other := lifecycle.New(lifecycle.Options{Redis: k.client, Game: k.game, Now: k.clock.Now, CursorKeys: [][]byte{[]byte("another key")}})
		refuses(other, p.b, page.Next)
		refuses(lifecycle.New(lifecycle.Options{Redis: k.client, Game: k.game, Now: k.clock.Now}), p.b, page.Next)
		require.NoError(t, k.process().Boards.CheckCursor(p.b, page.Next), "another process has the same key")
		rotated := lifecycle.New(lifecycle.Options{Redis: k.client, Game: k.game, Now: k.clock.Now, CursorKeys: [][]byte{[]byte("another key"), cursorKey}})
		require.NoError(t, rotated.Boards.CheckCursor(p.b, page.Next), "an older secret opens what it has sealed")
	})
}

// An offset, however large, costs no more than a cursor.
func TestOffsetsStayCheap(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for _, name := range []string{"best", "shared_best"} {
			p := &plainBoard{k, k.dayBoard(k.process(), name), map[string]float64{}}
			for i := range 3000 {
				p.entries[fmt.Sprintf("p%04d", i)] = float64(i % 2)
			}
			p.put(t, p.entries)
			process := k.process()
			for _, offset := range []int64{0, 1, 99, 1000, 2500, 2999, 3000, 4_000_000_000} {
				commands, _ := process.spent(func() {
					page, err := process.Boards.Page(t.Context(), p.b, game.PageRequest{Limit: 200, Offset: offset})
					require.NoError(t, err)
					require.EqualValues(t, 3000, page.Total)
					require.Len(t, page.Entries, int(max(0, min(200, 3000-offset))))
				})
				require.LessOrEqual(t, commands, int64(mostForAPage), "%s from %d", name, offset)
			}
		}
	})
}
