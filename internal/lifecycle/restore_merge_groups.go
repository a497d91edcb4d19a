package lifecycle

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// groupsMerge corrects the boards of groups, after the day's board was merged: the players who
// were on them before or after the loss get their score on the day's board. On boards of
// levels the mode's policy decides.
type groupsMerge struct {
	*dayMerge
	current map[string]float64                // the day's board
	written map[game.Scope]map[string]float64 // scores to write, by player
	// left has the scores of removed players that an earlier run, which was cut off, has left.
	left map[game.Scope]map[string]float64
}

// groups merges the boards of groups. An earlier run may have merged the day's board, and some
// of them.
func (r *dayMerge) groups(ctx context.Context) error {
	if len(r.results) == 0 {
		return nil
	}
	_, scoped, err := r.rs.Rollup.Calendar.Indexes(ctx, r.board.Mode)
	if err != nil {
		return err
	}
	if r.removed.Players == nil {
		if r.removed, err = ReadTaken(ctx, r.rs.DB, r.board.Mode.Name, r.date); err != nil {
			return err
		}
	}
	current, err := r.rs.DB.ReadBoard(ctx, r.board.Key)
	if err != nil {
		return err
	}
	g := groupsMerge{r, current, map[game.Scope]map[string]float64{}, map[game.Scope]map[string]float64{}}
	if err := g.read(ctx, scoped); err != nil {
		return err
	}
	g.addArchived()
	for scope, all := range g.written {
		if err := g.write(ctx, game.BoardOf(r.board.Mode, r.board.Period, scope), all); err != nil {
			return err
		}
	}
	return takingBack{r.rs, r.board, r.date}.run(ctx, g.written, g.left)
}

// read takes in who is on the boards of groups now.
func (g groupsMerge) read(ctx context.Context, scoped map[game.Scope]*derive.Index) error {
	for scope, index := range scoped {
		if !index.Has(g.date) {
			continue
		}
		members, err := g.rs.DB.ReadBoard(ctx, game.BoardOf(g.board.Mode, g.board.Period, scope).Key)
		if err != nil {
			return err
		}
		g.left[scope] = map[string]float64{}
		for player, at := range members {
			if _, there := g.current[player]; !there && g.removed.Players[player] {
				g.left[scope][player] = at
				continue
			}
			if g.add(scope, player); scope.OwnEntries() {
				g.written[scope][player] = at
			}
		}
	}
	return nil
}

// addArchived adds who was on the boards of groups before the loss.
func (g groupsMerge) addArchived() {
	for _, result := range g.results {
		for _, scoped := range result.Scopes {
			if !scoped.Scope.Written() || g.leaves(result.Player) {
				continue
			}
			at, there := g.written[scoped.Scope][result.Player]
			if g.add(scoped.Scope, result.Player); scoped.Scope.OwnEntries() {
				merged, _ := g.merge(g.board.Mode, redis.Place{Stored: scoped.Stored, Found: true}, redis.Place{Stored: at, Found: there})
				g.written[scoped.Scope][result.Player] = merged.Stored
			}
		}
	}
}

// add has a player's score on the day's board written to a group's board.
func (g groupsMerge) add(scope game.Scope, player string) {
	if g.written[scope] == nil {
		g.written[scope] = map[string]float64{}
	}
	if at, ok := g.current[player]; ok {
		g.written[scope][player] = at
	}
}

func (g groupsMerge) write(ctx context.Context, b game.Board, all map[string]float64) error {
	players := slices.Collect(maps.Keys(all))
	if err := g.rs.Played.Put(ctx, b.Scope, players); err != nil {
		return err
	}
	if err := g.rs.noteDay(ctx, b.Mode, g.date, b.Scope, derive.DayOpen); err != nil {
		return err
	}
	write := []string{"ZADD", b.Key}
	if b.Scope.OwnEntries() && b.Mode.Policy == game.Best { // somebody may play meanwhile
		write = append(write, map[game.Order]string{game.Desc: "GT", game.Asc: "LT"}[b.Mode.Order])
	}
	var p redis.Pipeline
	for some := range slices.Chunk(players, redis.WritePage) {
		command := slices.Clone(write)
		for _, player := range some {
			command = append(command, game.FormatStored(all[player]), player)
		}
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
	if len(players) > 0 {
		g.rs.expire(&p, b, b.Key)
	}
	if _, err := p.Run(ctx, g.rs.DB.Redis); err != nil {
		return err
	}
	g.rs.forget(b)
	return nil
}
