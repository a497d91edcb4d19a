package jobs

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/activity/activitystore"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
	"github.com/framedle/leaderboards/internal/feature/wallet/walletstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/product/app"
)

// People makes the service that reads players' data. The archive may be nil.
func People(a *app.App, kept *archive.Archive) *playerdata.Service {
	g := a.Game()
	s := playerdata.Service{
		Game: g, Now: a.Now, Key: a.Secret().Key("export"), Boards: a.Store().Boards, Kept: exported(a.Store()), BanList: a.Store().Notices,
		Sources: []playerdata.Source{
			duelstore.Export(Duels(a, nil), kept, func(d duel.Duel, player string) any {
				return duel.Show(g, d, gate.Caller{Player: auth.Player{ID: player}})
			}),
			walletstore.Export(a.Wallets(), kept),
			a.HeldPlays().Export(g),
			clerk.NewGroups(a.Redis()).Export(),
			friendstore.Export(a.Lists(), kept),
		},
	}
	if kept != nil {
		s.Archive = keptPeople{kept}
		s.Sources = append(s.Sources,
			racestore.Export(g, kept),
			leaguestore.Export(kept),
			badgestore.Export(g, kept),
			auditstore.Export(g, kept),
		)
		if activity.RulesOf(g) != nil {
			s.Sources = append(s.Sources, activitystore.Export(kept))
		}
	}
	return playerdata.New(s)
}

// keptPeople is the archive as package playerdata uses it.
type keptPeople struct{ archive *archive.Archive }

// endOfTime is later than everything that is kept: lists that are newest first begin there.
var endOfTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

func orEnd(t time.Time) time.Time {
	if t.IsZero() {
		return endOfTime
	}
	return t
}

func dateOrEnd(text string) (game.Date, error) {
	if text == "" {
		return game.DateOf(endOfTime), nil
	}
	return game.ParseDate(text)
}

func (k keptPeople) WholeDays(ctx context.Context, from game.Date) (map[playerdata.Day]bool, error) {
	days, err := k.archive.Days.Whole(ctx, from)
	whole := make(map[playerdata.Day]bool, len(days))
	for _, d := range days {
		whole[playerdata.Day{Mode: d.Mode, Date: d.Date.String()}] = true
	}
	return whole, err
}

func (k keptPeople) Results(ctx context.Context, player, mode string, after playerdata.Day, limit int) ([]game.DayResult, error) {
	date, err := dateOrEnd(after.Date)
	if err != nil {
		return nil, err
	}
	return k.archive.Results.Before(ctx, player, mode, date, after.Mode, limit)
}

func (k keptPeople) Ranks(ctx context.Context, m *game.Mode, player string, limit int) ([]game.DayRank, error) {
	return k.archive.Boards.Ranks(ctx, m, player, limit)
}

func (k keptPeople) Submissions(ctx context.Context, player, mode string, after playerdata.SubmissionPlace, limit int) ([]game.Posted, error) {
	date, err := dateOrEnd(after.Date)
	if err != nil {
		return nil, err
	}
	rows, err := k.archive.Submissions.Before(ctx, player, mode, archive.SubmissionPlace{
		At: orEnd(after.At), Mode: after.Mode, Date: date, StreamID: after.StreamID,
	}, limit)
	return rows, err
}

func (k keptPeople) Unsaved(ctx context.Context, player string, results []playerdata.KeptResult) ([]playerdata.KeptResult, error) {
	plays := make([]game.DayResult, len(results))
	for i, r := range results {
		plays[i] = game.DayResult{Mode: r.Mode.Name, Date: r.Date, Result: game.Result{Stored: r.Stored}}
	}
	saved, err := k.archive.Submissions.Has(ctx, player, plays)
	if err != nil {
		return nil, err
	}
	var unsaved []playerdata.KeptResult
	for i, r := range results {
		if !saved[i] {
			unsaved = append(unsaved, r)
		}
	}
	return unsaved, nil
}

func (k keptPeople) Achievements(ctx context.Context, player string, after game.Achievement, limit int) ([]game.Achievement, error) {
	after.AwardedAt = orEnd(after.AwardedAt)
	return k.archive.Achievements.Before(ctx, player, after, limit)
}

func (k keptPeople) Claims(ctx context.Context, digest string) ([]game.Claim, error) {
	return k.archive.Claims.Of(ctx, digest)
}

func (k keptPeople) Profile(ctx context.Context, player string) (playerdata.Profile, error) {
	rows, err := k.archive.Profiles.Of(ctx, []string{player})
	if err != nil || len(rows) == 0 {
		return playerdata.Profile{}, err
	}
	return playerdata.Profile(rows[0].Profile), nil
}

func (k keptPeople) Named(ctx context.Context, prefix string, after playerdata.NamedPlayer, limit int) ([]playerdata.NamedPlayer, error) {
	rows, err := k.archive.Profiles.FindByName(ctx, prefix, after.Name, after.Player, limit)
	players := make([]playerdata.NamedPlayer, len(rows))
	for i, r := range rows {
		players[i] = playerdata.NamedPlayer{Player: r.Player, Profile: r.Profile}
		if r.LastPlayed != nil {
			players[i].LastPlayed = game.DateOf(*r.LastPlayed).String()
		}
	}
	return players, err
}

func (k keptPeople) Ban(ctx context.Context, player string) (*game.Ban, error) {
	return k.archive.Bans.Of(ctx, player)
}

func (k keptPeople) Bans(ctx context.Context, after game.Ban, limit int) ([]game.Ban, error) {
	return k.archive.Bans.Before(ctx, orEnd(after.At), after.Player, limit)
}

func (k keptPeople) CountBans(ctx context.Context) (int64, error) {
	return k.archive.Bans.Count(ctx)
}

func (k keptPeople) Acts(ctx context.Context, player string, after playerdata.Act, limit int) ([]playerdata.Act, error) {
	rows, err := k.archive.Audit.Before(ctx, player, game.Act{ID: after.ID, At: after.At}, limit)
	acts := make([]playerdata.Act, len(rows))
	for i, r := range rows {
		acts[i] = playerdata.Act{ID: r.ID, At: r.At, Actor: r.Actor, Action: r.Action, Player: r.Player, Mode: r.Mode, Detail: r.Detail}
		if !r.Date.IsZero() {
			acts[i].Date = r.Date.String()
		}
	}
	return acts, err
}

func (k keptPeople) Note(ctx context.Context, act playerdata.Act) error {
	entry := archive.AuditEntry{
		Act: game.Act{ID: act.ID, Actor: act.Actor, At: act.At}, Action: act.Action, Player: act.Player, Mode: act.Mode, Detail: act.Detail,
	}
	if act.Date != "" {
		date, err := game.ParseDate(act.Date)
		if err != nil {
			return err
		}
		entry.Date = date
	}
	return k.archive.Audit.Put(ctx, entry)
}

// activeDays is how many dates, up to today, count for active players.
const activeDays = 7

func (k keptPeople) Counts(ctx context.Context, today game.Date) (c playerdata.Counts, err error) {
	if c.Known, c.Banned, err = k.archive.Statistics.CountPlayers(ctx); err == nil {
		c.Active, err = k.archive.Statistics.Active(ctx, today.AddDays(1-activeDays), today)
	}
	return c, err
}

func (k keptPeople) Played(ctx context.Context, from, to game.Date) ([]playerdata.PlayedDay, error) {
	days, err := k.archive.Statistics.Days(ctx, from, to)
	if err != nil {
		return nil, err
	}
	plays, err := k.archive.Statistics.Plays(ctx, from, to)
	played := make([]playerdata.PlayedDay, len(days))
	for i, d := range days {
		n := plays[d.Date]
		played[i] = playerdata.PlayedDay{Date: d.Date.String(), Players: d.Players, Results: d.Results, Plays: &n}
	}
	return played, err
}

// exported is what Redis has of a player.
func exported(s *lifecycle.Parts) *playerdata.Export {
	return &playerdata.Export{DB: s.DB, Rollup: s.Rollup, Played: s.Played, Repair: s.Repair}
}
