package playerdata

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// Player reads a page of everything that is kept of a player: the first page, or the one after
// a cursor. For an unknown player the page is empty.
//
// Errors: ErrCursor.
//
// Cost, of a first page: 13 billed commands (11 with an archive), 1 for each mode, those of
// leaderboard.Me, of Data, of the wallets and of up to 100 duels that the archive does not
// have. Of a further page: none, except for up to 100 such duels, if there are more.
func (s *Service) Player(ctx context.Context, player, cursor string) (Document, error) {
	d := &reading{s: s, Document: Document{Player: player, ReadAt: s.Now().UTC(), Sources: []string{"redis"}}}
	if s.Archive != nil {
		d.Sources = append(d.Sources, "database")
	}
	var err error
	if cursor == "" {
		err = d.begin(ctx)
	} else {
		d.at, err = s.open(player, cursor)
	}
	if err == nil {
		err = d.lists(ctx)
	}
	if err != nil {
		return Document{}, err
	}
	d.at.Issued = d.ReadAt
	if d.Next, err = s.cursor(player, d.at); err != nil {
		return Document{}, err
	}
	d.callModes()
	if d.About != nil {
		d.Known = d.known() || d.at.more()
	}
	d.Results, d.Submissions = orEmpty(d.Results), orEmpty(d.Submissions)
	d.Races, d.Spends, d.Badges = orEmpty(d.Races), orEmpty(d.Spends), orEmpty(d.Badges)
	d.Achievements, d.Acts = orEmpty(d.Achievements), orEmpty(d.Acts)
	return d.Document, nil
}

// orEmpty makes a list without rows [] in JSON, not null.
func orEmpty[Row any](rows []Row) []Row {
	if rows == nil {
		return []Row{}
	}
	return rows
}

// reading is a page that is being read.
type reading struct {
	s *Service
	Document
	at   places
	live []Result // from Redis, newest first
}

// begin reads About, and the results that only Redis has.
func (d *reading) begin(ctx context.Context) error {
	d.About = &About{}
	d.at = places{LiveDuels: &duel.Mark{}}
	whole := map[Day]bool{}
	if d.s.Archive != nil {
		var err error
		// Boards of days live some months at the most.
		if whole, err = d.s.Archive.WholeDays(ctx, game.DateOf(d.s.Now()).AddDays(-366)); err != nil {
			return err
		}
		d.at.Results, d.at.Submissions = &Day{}, &SubmissionPlace{}
		d.at.ScoreAudit = &auditMark{}
		d.at.Races, d.at.Spends, d.at.Leagues, d.at.Badges = &mark{}, &mark{}, new(string), &badgePlace{}
		d.at.Duels, d.at.Achievements, d.at.Acts = &duel.Mark{}, &game.Achievement{}, &Act{}
	}
	if d.s.Activity != nil {
		var err error
		if d.Activity, err = d.s.Activity(ctx, d.Player); err != nil {
			return err
		}
	}
	stands, err := d.s.Boards.Me(ctx, d.Player, nil)
	if err != nil {
		return err
	}
	if err := d.profile(ctx, stands.Profile); err != nil {
		return err
	}
	d.standing(stands)
	kept, err := d.s.Kept.Of(ctx, d.Player, d.Profile.Country, func(m *game.Mode, date game.Date) bool {
		return whole[Day{m.Name, date.String()}]
	})
	if err != nil {
		return err
	}
	d.keep(kept)
	waiting, err := d.s.Held.Of(ctx, d.Player)
	if err != nil {
		return err
	}
	for _, p := range waiting {
		sub := p.Submission
		d.Held = append(d.Held, Held{d.s.result(sub.Mode.Name, sub.Date, sub.Score, sub.Scopes, sub.Details), sub.At})
	}
	if err := d.wallets(ctx); err != nil {
		return err
	}
	return d.others(ctx, kept.Banned)
}

// standing fills in XP and streak. If the game no longer has them, it fills in what is still
// kept.
func (d *reading) standing(stands leaderboard.Me) {
	if d.s.Game.GivesXP() || stands.XP != 0 {
		level := d.s.Game.Level.Level(stands.XP)
		d.XP, d.Level = &stands.XP, &level
	}
	if !d.s.Game.Streak.Off || stands.Streak != (game.Streak{}) {
		d.Streak = newStreak(stands.Streak)
	}
}

// profile prefers the profile in Redis to the archive's.
func (d *reading) profile(ctx context.Context, p game.Profile) (err error) {
	d.Profile = newProfile(p)
	if d.Profile == (Profile{}) && d.s.Archive != nil {
		d.Profile, err = d.s.Archive.Profile(ctx, d.Player)
	}
	return err
}

// keep fills in what boards have.
func (d *reading) keep(kept Data) {
	d.GroupsPlayed, d.Devices = []string{}, []Device{}
	for _, group := range kept.Groups {
		if group.Kind() != game.Group {
			continue // levels are with the results
		}
		d.GroupsPlayed = append(d.GroupsPlayed, group.ID())
	}
	for _, device := range kept.Devices {
		d.Devices = append(d.Devices, Device{device.Device, device.At})
	}
	for _, r := range kept.Results {
		d.live = append(d.live, d.s.result(r.Mode.Name, r.Date, r.Score, r.Scopes, r.Details))
		d.at.Live = append(d.at.Live, Day{r.Mode.Name, r.Date.String()})
	}
}

// others reads what is neither on boards nor in an unbounded list.
func (d *reading) others(ctx context.Context, banned bool) error {
	rating, rated, begun, err := d.s.Duels.StandingOf(ctx, d.Player)
	if err != nil {
		return err
	}
	if d.DuelsBegun = begun; rated {
		d.DuelRating = &rating
	}
	groups, err := d.s.Groups.Of(ctx, d.Player)
	if err != nil {
		return err
	}
	d.Groups = orEmpty(groups)
	if banned {
		d.Ban = &game.Ban{}
	}
	d.Invites, d.Claims = []friend.OpenInvite{}, []Claim{}
	if d.s.Archive == nil {
		return d.copiedFriends(ctx)
	}
	ban, err := d.s.Archive.Ban(ctx, d.Player)
	if err != nil {
		return err
	}
	if ban != nil {
		ban.Player = ""
		d.Ban = ban
	}
	if d.Invites, err = d.s.Archive.Invites(ctx, d.Player); err != nil {
		return err
	}
	d.Invites = orEmpty(d.Invites)
	if err := d.claims(ctx); err != nil {
		return err
	}
	between, err := d.s.Archive.Relations(ctx, d.Player)
	d.Friends, d.Received, d.Sent = relations(between.Friends), relations(between.Received), relations(between.Sent)
	d.Blocked = orEmpty(between.Blocked)
	return err
}

// copiedFriends reads the copy in Redis of the lists of friends.
func (d *reading) copiedFriends(ctx context.Context) error {
	lists, err := d.s.Friends.Of(ctx, d.Player)
	d.Friends, d.Received, d.Sent, d.Blocked = []Relation{}, []Relation{}, []Relation{}, orEmpty(lists.Blocked)
	for _, other := range lists.Friends {
		d.Friends = append(d.Friends, Relation{Player: other})
	}
	return err
}

func relations(all []friend.Relation) []Relation {
	rows := make([]Relation, len(all))
	for i, r := range all {
		since := r.Since.UTC()
		rows[i] = Relation{r.Player, &since}
	}
	return rows
}

// lists continues every list that has not ended.
func (d *reading) lists(ctx context.Context) error {
	r := &room{left: mostBytes}
	for _, result := range d.live {
		r.takes(asJSON(result))
	}
	d.Results = d.live
	for _, step := range []func(context.Context, *room) error{d.results, d.submissions, d.liveDuels, d.duels, d.races, d.spends, d.leagues, badges(d), audited(d), d.achievements, d.acts} {
		if err := step(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// results leaves out the days of which Redis has more.
func (d *reading) results(ctx context.Context, r *room) error {
	rows, next, err := fill(ctx, d.at.Results, mostResults-len(d.live), r,
		func(ctx context.Context, after Day, limit int) ([]Result, error) {
			rows, err := d.s.Archive.Results(ctx, d.Player, "", after, limit)
			stand := make([]Result, len(rows))
			for i, row := range rows {
				stand[i] = d.s.result(row.Mode, row.Date, row.Score(), scopesOf(row.Scopes), row.Details)
			}
			return stand, err
		},
		Result.day,
		func(row Result) int {
			if slices.Contains(d.at.Live, row.day()) {
				return 0
			}
			return asJSON(row)
		})
	for _, row := range rows {
		if !slices.Contains(d.at.Live, row.day()) {
			d.Results = append(d.Results, row)
		}
	}
	if d.at.Results = next; next == nil {
		d.at.Live = nil
	}
	slices.SortStableFunc(d.Results, func(a, b Result) int { return strings.Compare(b.Date, a.Date) })
	return err
}

func (s *Service) result(mode string, date game.Date, score game.Score, scopes []game.Scope, details json.RawMessage) Result {
	return Result{mode, date.String(), s.score(mode, score), s.values(mode, score), scopeNames(scopes), details}
}

func (r Result) day() Day { return Day{r.Mode, r.Date} }

func (d *reading) submissions(ctx context.Context, r *room) (err error) {
	d.Submissions, d.at.Submissions, err = fill(ctx, d.at.Submissions, mostOthers, r,
		func(ctx context.Context, after SubmissionPlace, limit int) ([]Submission, error) {
			rows, err := d.s.Archive.Submissions(ctx, d.Player, "", after, limit)
			sent := make([]Submission, len(rows))
			for i, row := range rows {
				r := d.s.result(row.Mode, row.Date, game.TrueScore(row.Stored), row.Scopes, row.Details)
				sent[i] = Submission{r, row.At, SubmissionPlace{row.At, r.Mode, r.Date, row.StreamID}}
			}
			return sent, err
		},
		func(row Submission) SubmissionPlace { return row.place }, asJSON[Submission])
	return err
}

// liveDuels reads the duels that the archive does not have.
func (d *reading) liveDuels(ctx context.Context, r *room) error {
	if d.at.LiveDuels == nil {
		return nil
	}
	var have func(context.Context, []string) (map[string]bool, error)
	if d.s.Archive != nil {
		have = d.s.Archive.KnownDuels
	}
	live, next, more, err := d.s.Duels.Kept(ctx, d.Player, *d.at.LiveDuels, mostLive, have)
	if d.at.LiveDuels = nil; more {
		d.at.LiveDuels = &next
	}
	for _, row := range live {
		r.takes(duelSize(row))
	}
	d.Duels = append(d.Duels, live...)
	return err
}

func (d *reading) duels(ctx context.Context, r *room) error {
	rows, next, err := fill(ctx, d.at.Duels, mostOthers, r,
		func(ctx context.Context, after duel.Mark, limit int) ([]game.Duel, error) {
			return d.s.Archive.Duels(ctx, d.Player, after, limit)
		},
		func(row game.Duel) duel.Mark { return duel.Mark{At: row.CreatedAt, ID: row.ID} }, duelSize)
	d.at.Duels = next
	d.Duels = append(d.Duels, rows...)
	slices.SortStableFunc(d.Duels, func(a, b game.Duel) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return err
}

func (d *reading) achievements(ctx context.Context, r *room) (err error) {
	d.Achievements, d.at.Achievements, err = fill(ctx, d.at.Achievements, mostOthers, r,
		func(ctx context.Context, after game.Achievement, limit int) ([]game.Achievement, error) {
			return d.s.Archive.Achievements(ctx, d.Player, after, limit)
		},
		func(row game.Achievement) game.Achievement { return row }, asJSON[game.Achievement])
	return err
}

func (d *reading) acts(ctx context.Context, r *room) (err error) {
	d.Acts, d.at.Acts, err = fill(ctx, d.at.Acts, mostOthers, r,
		func(ctx context.Context, after Act, limit int) ([]Act, error) {
			return d.s.Archive.Acts(ctx, d.Player, after, limit)
		},
		func(row Act) Act { return Act{ID: row.ID, At: row.At} }, asJSON[Act])
	return err
}
