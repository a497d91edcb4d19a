package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/friends"
)

type inviteAnswer struct {
	Code      string `json:"code"`
	ExpiresAt string `json:"expires_at"`
	Uses      int    `json:"uses"`
}

// postInvite makes a code: POST /v1/friends/invites. The body may be empty.
func (f friendships) postInvite(w http.ResponseWriter, r *http.Request) error {
	body := []byte("{}")
	if r.ContentLength != 0 {
		read, err := readBody(w, r, maxBody)
		if err != nil {
			return err
		}
		if len(read) > 0 {
			body = read
		}
	}
	me, err := f.caller(r)
	if err != nil {
		return err
	}
	o := object(body, "")
	uses := friends.DefaultUses
	if text, ok := o.number("uses", false); ok {
		if uses, err = strconv.Atoi(text); err != nil || uses < 1 || uses > friends.MostUses {
			o.fault("uses", fmt.Sprintf("this must be a whole number from 1 to %d", friends.MostUses))
		}
	}
	if err := joined(newQuery(r).done(), o.done()); err != nil {
		return err
	}
	code, expires, err := f.friends.Invite(r.Context(), me, uses)
	if err != nil {
		return err
	}
	return writeJSON(w, r, http.StatusCreated, "no-store", inviteAnswer{code, expires.Format(time.RFC3339), uses})
}

// postInviteAccept makes friends by a code: POST /v1/friends/invites/{code}/accept.
func (f friendships) postInviteAccept(w http.ResponseWriter, r *http.Request) error {
	if err := emptyBody(w, r); err != nil {
		return err
	}
	me, err := f.caller(r)
	if err != nil {
		return err
	}
	q := newQuery(r)
	code := r.PathValue("code")
	if len(code) != friends.CodeLength {
		q.path("code", fmt.Sprintf("a code has %d characters", friends.CodeLength))
	}
	if err := q.done(); err != nil {
		return err
	}
	outcome, other, err := f.friends.Redeem(r.Context(), me, code)
	if err != nil {
		return err
	}
	if outcome == friends.None {
		return &problem{
			Status: http.StatusNotFound, kind: "no-invite",
			Detail: "this invite is not good: it is unknown, used up, has expired, or is your own",
		}
	}
	return writeFriendship(w, r, http.StatusOK, other, outcome)
}
