package apitest

import (
	"net/http"
	"time"
)

type RelationBody struct{ Player, Name, Picture, Country, Since string }

type FriendsBody struct{ Friends, Received, Sent, Blocked []RelationBody }

type FriendsBoardBody struct {
	Mode, Period, Key, Scope string
	Total                    int64
	UpdatedAt                time.Time `json:"updated_at"`
	Closed                   bool
	Entries                  []EntryBody
}

func (s *Stack) FriendsBody(player string) (b FriendsBody) {
	s.Want(http.StatusOK, s.As(player, Get(FriendsPath))).Into(s, &b)
	return b
}

func (s *Stack) Board(player, target string) (b FriendsBoardBody) {
	s.Want(http.StatusOK, s.As(player, Get(target))).Into(s, &b)
	return b
}

// MakeFriends has one ask and the other accept.
func (s *Stack) MakeFriends(one, other string) {
	s.Send(s.As(one, Post(RequestsPath, `{"player":"`+other+`"}`)))
	s.Want(http.StatusOK, s.As(other, Post(RequestsPath+"/"+one+"/accept", "")))
}

// Asked makes a call to which another player's request goes before.
func Asked(by, player string, c Call) func(*Stack) Call {
	return func(s *Stack) Call {
		s.Send(s.As(by, Post(RequestsPath, `{"player":"`+player+`"}`)))
		return s.As(player, c)
	}
}

// Invited makes a call that accepts a player's new invite.
func Invited(by, player string) func(*Stack) Call {
	return func(s *Stack) Call { return s.As(player, Post(s.Invite(by)+"/accept", "")) }
}

// Seen makes a call that reads a player's new invite.
func Seen(by, player string) func(*Stack) Call {
	return func(s *Stack) Call { return s.As(player, Get(s.Invite(by))) }
}

// Invite makes an invite and returns its path.
func (s *Stack) Invite(by string) string {
	var invite InviteBody
	s.Want(201, s.As(by, Post(InvitesPath, ""))).Into(s, &invite)
	return InvitesPath + "/" + invite.Code
}

type InviteBody struct {
	Code      string
	ExpiresAt string `json:"expires_at"`
	Uses      int
}

const (
	FriendsPath  = "/v1/friends"
	RequestsPath = FriendsPath + "/requests"
	BlocksPath   = FriendsPath + "/blocks"
	InvitesPath  = FriendsPath + "/invites"
	FriendsBoard = Daily + "/friends"
)
