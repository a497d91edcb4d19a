package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Card reads one player's standing.
//
// Cost: 1 billed command in 1 round trip, and on a derived board that is not united (see
// [derive.Rollup.UnitedOf]) that of [derive.Rollup.OwnEntry]. 1 more each for the period before, for
// details, for an unknown or stale total, and for an unknown name; if ranks are shared, 1 more
// for each rank. A derived board that is due costs its refresh besides. So does the board of
// the period before: its period is over, so it is due at most once an hour. The budget's
// measures may leave out the period before and the details.
func (s *Store) Card(ctx context.Context, b game.Board, player string) (game.Standing, error) {
	if in, err := s.bandsOf(ctx, b); err != nil {
		return game.Standing{}, err
	} else if in != nil {
		return in.card(ctx, player, false)
	}
	place, err := s.placeOn(ctx, b, player)
	if err != nil {
		return game.Standing{}, err
	}
	card := game.Standing{Entry: game.Entry{Player: player}, UpdatedAt: s.DB.Now()}
	var details string
	var p redis.Pipeline
	whole := !s.Rollup.Measures().Features
	before := before{s: s, player: player}
	if whole {
		if err := before.prepare(ctx, b); err != nil {
			return game.Standing{}, err
		}
	}
	place.ask(&p)
	before.ask(&p)
	if whole && b.HasDetails() {
		key := game.DetailsKey(b.Mode.Name, b.Period.First())
		p.Add(upstash.Cmd("HGET", key, player), redis.TextInto(&details))
	}
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return game.Standing{}, redis.Wrap("read the standing", err)
	}
	if err := place.settle(ctx); err != nil {
		return game.Standing{}, err
	}
	if card.Total = place.total; !place.now.Found {
		return card, ErrNotOnBoard
	}
	card.Stored, card.Score = place.now.Stored, b.Mode.Decode(place.now.Stored)
	card.Rank, card.PreviousRank = place.rank(), before.rank()
	card.Details = game.DetailsOf(details, b.Mode, place.now.Stored)
	if err := shareRanks(ctx, s.DB, place, &before, &card); err != nil {
		return game.Standing{}, err
	}
	card.Total = max(card.Total, place.now.Position+1)
	named := []game.Entry{card.Entry}
	err = nameOn(ctx, s.Players, b, named)
	card.Entry = named[0]
	return card, err
}

// shareRanks replaces positions by shared ranks if the mode shares ranks.
func shareRanks(ctx context.Context, db *redis.DB, place *ownPlace, before *before, card *game.Standing) error {
	m := place.board.Mode
	if m.Ties == game.Earliest {
		return nil
	}
	ahead, aheadBefore := card.Rank-1, int64(0)
	var p redis.Pipeline
	if place.united == nil {
		p.Add(redis.AheadCommand(place.board, card.Score), redis.IntInto(&ahead))
	}
	if before.at.Found {
		p.Add(redis.AheadCommand(before.board, m.Decode(before.at.Stored)), redis.IntInto(&aheadBefore))
	}
	if _, err := p.Run(ctx, db.Redis); err != nil {
		return redis.Wrap("rank the standing", err)
	}
	// Players who came in since the position was read do not count, so that no rank exceeds a
	// position, nor the total.
	card.Rank = min(card.Rank, ahead+1)
	if before.at.Found {
		card.PreviousRank = min(card.PreviousRank, aheadBefore+1)
	}
	return nil
}
