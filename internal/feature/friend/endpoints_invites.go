package friend

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
)

type inviteAnswer struct {
	Code      string `json:"code"`
	ExpiresAt string `json:"expires_at"`
	Uses      int    `json:"uses"`
}

// PostInvite makes a code: POST /v1/friends/invites. The body may be empty.
func (f Endpoints) PostInvite(w http.ResponseWriter, r *gate.Request) error {
	me := r.Caller.Player.ID
	o := decode.Open(r.Sent, "")
	uses := DefaultUses
	if text, ok := o.Number("uses", decode.Optional); ok {
		var err error
		if uses, err = strconv.Atoi(text); err != nil || uses < 1 || uses > MostUses {
			o.Fault("uses", fmt.Sprintf("this must be a whole number from 1 to %d", MostUses))
		}
	}
	if err := o.Done(); err != nil {
		return err
	}
	if err := f.Notices.MayPlay(r.Context(), me); err != nil {
		return err
	}
	record := r.Record()
	kept, replayed, err := f.Gate.Once(r.Context(), record, func(ctx context.Context) (int, any, bool, error) {
		if err := api.Introduce(ctx, f.Profiles, r); err != nil {
			return 0, nil, false, err
		}
		code, expires, err := f.Friends.Invite(ctx, me, uses)
		if err == nil {
			code, err = f.Codes.seal(code, record.ID) // Redis keeps this answer
		}
		if err != nil {
			return 0, nil, false, err
		}
		return http.StatusCreated, inviteAnswer{code, expires.Format(time.RFC3339), uses}, false, nil
	})
	if err != nil {
		return err
	}
	var answer inviteAnswer
	if err := json.Unmarshal(kept.Body, &answer); err != nil {
		return fmt.Errorf("read the answer that is kept: %w", err)
	}
	if answer.Code, err = f.Codes.open(answer.Code, record.ID); err != nil {
		return err
	}
	if kept.Body, err = json.Marshal(answer); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	gate.WriteOnce(w, r, kept, replayed)
	return nil
}

// pathCode reads the code of an invite from the path, and refuses parameters.
func pathCode(r *gate.Request) (string, error) {
	q := decode.OpenQuery(r.URL)
	code := r.PathValue("code")
	if len(code) != CodeLength {
		q.PathFault("code", fmt.Sprintf("a code has %d characters", CodeLength))
	}
	return code, q.Done()
}

// GetInvite shows who made an invite: GET /v1/friends/invites/{code}. An invite that the caller
// cannot accept is answered as an unknown one, so blocks and bans do not show.
func (f Endpoints) GetInvite(w http.ResponseWriter, r *gate.Request) error {
	code, err := pathCode(r)
	if err != nil {
		return err
	}
	inviter, err := f.Friends.Inviter(r.Context(), r.Caller.Player.ID, code)
	if err != nil {
		return err
	}
	if inviter == "" {
		return noInvite()
	}
	if banned, err := f.Notices.IsBanned(r.Context(), inviter); err != nil {
		return err
	} else if banned {
		return noInvite()
	}
	shown, err := Show(r.Context(), f.Names, []Relation{{Player: inviter}})
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, shown[0][0])
}

// PostInviteAccept makes friends by a code: POST /v1/friends/invites/{code}/accept.
func (f Endpoints) PostInviteAccept(w http.ResponseWriter, r *gate.Request) error {
	me := r.Caller.Player.ID
	code, err := pathCode(r)
	if err != nil {
		return err
	}
	if err := f.Notices.MayPlay(r.Context(), me); err != nil {
		return err
	}
	return f.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		if err := api.Introduce(ctx, f.Profiles, r); err != nil {
			return 0, nil, false, err
		}
		outcome, other, err := f.Friends.Redeem(ctx, me, code)
		if err != nil {
			return 0, nil, false, err
		}
		if outcome == Friends { // not with a player who was banned after making the invite
			banned, err := f.Notices.IsBanned(ctx, other)
			if err == nil && banned {
				_, err = f.Friends.Act(ctx, Remove, me, other)
				outcome = None
			}
			if err != nil {
				return 0, nil, false, err
			}
		}
		if outcome == None {
			return 0, nil, false, noInvite()
		}
		return friendship(http.StatusOK, other, outcome)
	})
}

func noInvite() *problem.Problem {
	return problem.New("no-invite", "invite is unknown, used up, expired, or your own")
}
