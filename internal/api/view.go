package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

// viewPatience bounds how long all parts of a view may take: the score is already written,
// and its sender waits for the answer.
const viewPatience = 3 * time.Second

// viewAnswer has each part as the part's own route answers it, or null; the key problems says
// why a part is null.
type viewAnswer map[string]any

// withView adds a view to the answer of a submission: the data of a result screen, read after
// the score was written. It also returns the degradation measures that bear on the view.
// Where the view fails, the submission's answer stays as it is.
func (a scores) withView(r *gate.Request, s scoreRequest, answer []byte) ([]byte, budget.Measures) {
	if len(s.view) == 0 {
		return answer, budget.Measures{}
	}
	var first struct{ Rank int64 }
	_ = json.Unmarshal(answer, &first) // the rank is a hint only
	seen := *s.seen
	seen.Rank = first.Rank
	reading := viewReading{a, r, s.sub, seen, budget.Measures{}}
	view, err := json.Marshal(reading.all(s.view))
	if err != nil {
		a.problems.Warn(r.Context(), "a view could not be read", err)
		return answer, budget.Measures{}
	}
	return fmt.Appendf(nil, `%s,"view":%s}`, answer[:len(answer)-1], view), reading.lacks
}

// viewReading is the reading of one view.
type viewReading struct {
	scores
	r     *gate.Request
	sub   game.Submission
	seen  leaderboard.PlaceHint // what the submission saw of the board
	lacks budget.Measures       // the degradation measures that bear on the parts
}

// all reads the parts. Once Redis has refused one, the remaining ones are not tried.
func (v *viewReading) all(parts View) viewAnswer {
	ctx, cancel := context.WithTimeout(v.r.Context(), viewPatience)
	defer cancel()
	answer := viewAnswer{}
	problems := map[string]*problem.Problem{}
	refused := v.admit(ctx, parts)
	for _, part := range ViewParts() {
		if !parts.Has(part) {
			continue
		}
		found, failed := any(nil), refused
		if failed == nil {
			found, failed = v.part(ctx, part)
		}
		if leaderboard.IsRefusal(failed) {
			refused = failed
		}
		if failed != nil {
			found, problems[part] = nil, v.problems.Explain(v.r.Request, failed)
		}
		answer[part] = found
	}
	if len(problems) > 0 {
		answer["problems"] = problems
	}
	return answer
}

// admit counts a view as one look at boards, and holds what viewPrice says.
func (v *viewReading) admit(ctx context.Context, parts View) error {
	if err := v.Gate.CountLook(ctx, v.r); err != nil {
		return err
	}
	return gate.CostsMore(ctx, viewPrice(v.Game, parts))
}

// part reads what the route of one part would answer.
func (v *viewReading) part(ctx context.Context, part string) (found any, err error) {
	player, day := v.sub.Player, game.BoardOf(v.sub.Mode, game.Day.Of(v.sub.Date), game.Scope{})
	var lacks budget.Measures
	switch part {
	case ViewPage:
		var read leaderboard.Answer[game.Page]
		if read, err = v.reads.Top(ctx, day, DefaultLimit, v.seen); err != nil {
			return nil, err
		}
		lacks = read.Degraded
		found, err = NewPage(read.Found, player), refuseStale(read.Found.Stale != nil, nil)
	case ViewAround:
		var answer Around
		answer, lacks, err = v.boards.Around(ctx, day, Whose{Player: player, Me: player, Reach: DefaultRange, Seen: v.seen})
		found, err = answer, refuseStale(answer.Stale, err)
	case ViewFriends:
		if v.r.Caller.IsDevice() {
			return nil, problem.SignInFirst()
		}
		found, lacks, err = v.Friends(ctx, day, player)
	case ViewWeek:
		var answer Card
		answer, lacks, err = v.boards.Card(ctx, game.BoardOf(v.sub.Mode, game.Week.Of(v.sub.Date), game.Scope{}), Whose{Player: player, Me: player})
		found, err = answer, refuseStale(answer.Stale, err)
	case ViewMe:
		var current leaderboard.Me
		current, err = v.Boards.Me(ctx, player, gate.CostsMore)
		found = newOwnAnswer(v.Game, player, current)
	}
	v.lacks = v.lacks.Or(lacks)
	return found, err
}

// refuseStale turns a stale part into an error: what was remembered from before Redis refused
// lacks the score that was just written. If the player's entry was removed meanwhile, the
// part answers what its route would.
func refuseStale(stale bool, err error) error {
	switch {
	case stale:
		return problem.Unavailable("the data store is unavailable, and the cache is older than this score", 0)
	case errors.Is(err, leaderboard.ErrNotOnBoard):
		return nil
	}
	return err
}
