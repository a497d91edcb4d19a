package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Erasure is what must be known of a player to erase.
type Erasure struct {
	Past   *ArchivedPlayer // what the archive has; nil: there is none
	Copied bool            // Redis has something else of the player, such as lists of friends
	// Later is asked about a player of whom nothing else is known: it reports whether there is
	// something that no index has yet. It may be nil.
	Later func(ctx context.Context, player string) (bool, error)
	// Claimed returns the devices that the player is known to have claimed. It may be nil.
	Claimed func(ctx context.Context, player string) ([]string, error)
	AtMost  int // how often a player may be erased on one UTC date; 0: unlimited
	// Before is called before anything is removed, if something is known of the player. If it
	// returns an error, the erasure ends with that. It may be nil.
	Before func(context.Context) error
}

// Erased is what an erasure has found.
type Erased struct {
	Boards int // boards that the player was removed from
	// Known says that Redis had something of the player.
	Known bool
	// Idle says that the player was erased before on this date and has nothing since: there is
	// nothing to do.
	Idle bool

	lens string
	note *removalNote
}

// ErasedTooOftenError is returned for a player who has been erased as often as a date allows.
type ErasedTooOftenError struct {
	AtMost int
	Wait   time.Duration
}

func (e *ErasedTooOftenError) Error() string {
	return fmt.Sprintf("a player may be erased %d times a day", e.AtMost)
}

func (e *ErasedTooOftenError) Fault() fault.Fault {
	return fault.Fault{Code: "rate-limited", Wait: e.Wait, Detail: e.Error() + " (UTC); the schedule completes an interrupted erasure"}
}

// Erase removes a player from all boards, with details, XP, streak, rating, name and picture.
// It works nothing out again, so it needs no archive; an archive adds the groups that the
// player had played in before Redis kept them. The player may play again. The caller must
// erase everything else of the player and then call EraseDone; until then LookAfterRemovals
// treats the erasure as cut off.
//
// Cost: 3 billed commands in 1 round trip for a player who was erased on this date and has
// nothing since, 11 for one of whom nothing is known, each with those of Later, else some 40
// and what the player has:
// some 10 for each day of a mode, 4 more for each group of it and 1 for every 1,000 boards
// that there can be. What others have costs nothing, unless a day on which the player has
// played is due to be rolled up.
//
// Errors: ErrRollingUp, *ErasedTooOftenError, and o.Before's.
func (rp *Repair) Erase(ctx context.Context, player string, o Erasure) (Erased, error) {
	r := rp.newErasure(player, o)
	if date, refused := rp.erased.Get(player); refused && date == r.today && o.AtMost > 0 {
		return Erased{}, r.tooOften(o)
	}
	idle, err := r.look(ctx, o)
	if err != nil || idle {
		return Erased{Idle: idle}, redis.Wrap("look for "+player, err)
	}
	before := func(ctx context.Context) error {
		if o.Before == nil || !r.known {
			return nil
		}
		return o.Before(ctx)
	}
	forgetOwner := func(ctx context.Context) error {
		var devices []string
		var err error
		if o.Claimed != nil {
			devices, err = o.Claimed(ctx, player)
		}
		if err != nil {
			return err
		}
		forgotten, err := rp.ForgetOwner(ctx, player, devices)
		r.known = r.known || forgotten
		return err
	}
	err = inOrder(ctx, r.ask, before, r.findLate, r.find, r.settleRolledUp, r.noteErasure, r.takeOffSources, r.overtake, r.takeOffRest, r.forget, forgetOwner, worldNotice{r.rp.DB}.run)
	if err != nil {
		return Erased{Boards: r.report.Boards}, redis.Wrap("erase "+player, err)
	}
	return Erased{Boards: r.report.Boards, Known: r.known || r.report.Boards > 0, lens: r.lens, note: r.written}, nil
}

// EraseDone notes that everything of a player is erased, here and elsewhere.
//
// Cost: 1 billed command, 2 where something was found.
func (rp *Repair) EraseDone(ctx context.Context, player string, e Erased) error {
	if e.Idle {
		return nil
	}
	var p redis.Pipeline
	if e.note != nil {
		done := *e.note
		done.Unfinished = false
		if err := done.put(&p); err != nil {
			return err
		}
	}
	p.Add(upstash.Cmd("ZADD", e.lens, "0", game.ErasureDone).Idempotent(), nil)
	_, err := p.Run(ctx, rp.DB.Redis)
	return redis.Wrap("note that a player is erased", err)
}

// erasure removes one player from everything.
type erasure struct {
	*removal
	living         // on the date on which it is counted
	lens    string // key of a set with only this player
	groups  []game.Scope
	nowhere bool // the player is on no global board
	late    map[*game.Mode][]game.Date
	known   bool
	spots   []spot // sources of boards that the player is on
	inBands []spot // likewise of boards kept in bands
	written *removalNote
}

func (rp *Repair) newErasure(player string, o Erasure) *erasure {
	today := game.DateOf(rp.DB.Now())
	return &erasure{
		removal: &removal{rp: rp, player: player, past: o.Past},
		living:  living{rp.DB, today}, lens: game.ErasureKey(today, player),
	}
}

// lensLife is how long after its date's beginning the count of a player's erasures lives.
const lensLife = 26 * time.Hour

func (r *erasure) tooOften(o Erasure) error {
	return &ErasedTooOftenError{AtMost: o.AtMost, Wait: r.today.AddDays(1).Midnight().Sub(r.rp.DB.Now())}
}

// look counts the erasure, and reports whether there is nothing to erase since an earlier one.
// What it does not ask about can only be there if its write has removed the mark of the
// erasure: a new profile (see reappears), and a claim.
func (r *erasure) look(ctx context.Context, o Erasure) (idle bool, err error) {
	var times, duels, member int64
	var done bool
	var p redis.Pipeline
	p.Add(upstash.Cmd("ZINCRBY", r.lens, "1", r.player).Idempotent(), func(reply upstash.Reply) error {
		n, err := reply.Float64()
		times = int64(n)
		return err
	})
	p.Add(upstash.Cmd("EXISTS", game.DuelsOfKey(r.player), game.DuelsUnseenKey(r.player), game.RacesOfKey(r.player)), redis.IntInto(&duels))
	if r.past == nil { // nothing else knows of memberships
		p.Add(upstash.Cmd("HEXISTS", game.GroupsKey, r.player), redis.IntInto(&member))
	}
	r.nowhere = true
	for keys := range slices.Chunk(append(r.everywhere(game.Scope{}), r.otherSets(r.player)...), lensKeys) {
		p.Add(r.through(keys), func(reply upstash.Reply) error {
			missing, err := reply.Strings()
			if !slices.Contains(missing, r.player) {
				r.nowhere = false
			}
			done = slices.Contains(missing, game.ErasureDone)
			return err
		})
	}
	if _, err := p.Run(ctx, r.rp.DB.Redis); err != nil {
		return false, err
	}
	if o.AtMost > 0 && times > int64(o.AtMost) {
		r.rp.erased.Add(r.player, r.today)
		return false, r.tooOften(o)
	}
	if r.inBands, err = (bandsErasure{r}).find(ctx); err != nil {
		return false, err
	}
	r.nowhere = r.nowhere && len(r.inBands) == 0
	r.known = !r.nowhere || duels > 0 || member > 0 || o.Copied || r.past != nil && len(r.past.Results) > 0
	if !r.known && o.Later != nil {
		if r.known, err = o.Later(ctx, r.player); err != nil {
			return false, err
		}
	}
	return done && !r.known, nil
}

// ask finds what else the player may have: groups, and the country.
func (r *erasure) ask(ctx context.Context) error {
	var p redis.Pipeline
	p.Add(upstash.Cmd("EXPIRE", r.lens, redis.Itoa(int64(lensLife/time.Second))).Idempotent(), nil)
	r.rp.Played.Ask(&p, r.player, &r.groups)
	if r.rp.Players.RankCountries {
		countryInto(&p, r.removal)
	}
	if _, err := p.Run(ctx, r.rp.DB.Redis); err != nil {
		return err
	}
	if r.past != nil {
		for _, row := range r.past.Results {
			for _, scoped := range row.Scopes {
				if scoped.Scope.Written() && !slices.Contains(r.groups, scoped.Scope) {
					r.groups = append(r.groups, scoped.Scope)
				}
			}
		}
	}
	r.known = r.known || len(r.groups) > 0
	return nil
}

// noteErasure notes what will be erased.
func (r *erasure) noteErasure(ctx context.Context) error {
	if !r.known && r.country == "" {
		return nil
	}
	n := r.newNote()
	n.Erase, n.Unfinished = true, true
	for _, group := range r.groups {
		n.Groups = append(n.Groups, group.String())
	}
	r.written = &n
	return n.write(ctx, r.rp.DB)
}

// forget removes the player's profile, streak and groups.
func (r *erasure) forget(ctx context.Context) error {
	r.rp.Players.Directory.Forget(r.player)
	var p redis.Pipeline
	had := func(reply upstash.Reply) error {
		n, err := reply.Int64()
		r.known = r.known || n > 0
		return err
	}
	p.Add(upstash.Cmd("ZREM", game.CountriesKey, r.player).Idempotent(), had)
	p.Add(upstash.Cmd("HDEL", game.ProfilesKey, r.player, game.OwnProfile(r.player)).Idempotent(), had)
	p.Add(upstash.Cmd("HDEL", game.StreaksKey, r.player).Idempotent(), had)
	p.Add(upstash.Cmd("HDEL", game.GroupsKey, r.player).Idempotent(), had)
	p.Add(upstash.Cmd("DEL", game.ReportedKey(r.player)).Idempotent(), had)
	_, err := p.Run(ctx, r.rp.DB.Redis)
	return err
}
