package apitest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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

func NewFriendsStack(t *testing.T) *Stack {
	s := NewStack(t)
	s.Befriend()
	return s
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

// Without makes a call where there is no database.
func Without(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		s.Database = ""
		s.Handler = s.Process()
		return c(s)
	}
}

// Over makes a call where the database is another: of that name, or elsewhere.
func Over(where string, c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		u, err := url.Parse(s.Database)
		require.NoError(s, err)
		host, name, _ := strings.Cut(where, "/")
		if u.Path = name; host != "" {
			u.Host = host
		}
		s.Database = u.String()
		s.Handler = s.Process()
		return c(s)
	}
}

// WithoutRights makes a call where the database answers, and shows its tables to nobody.
func WithoutRights(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		u, err := url.Parse(s.Database)
		require.NoError(s, err)
		q := u.Query()
		q.Set("role", "pg_monitor")
		u.RawQuery = q.Encode()
		s.Database = u.String()
		s.Handler = s.Process()
		return c(s)
	}
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

// UserSaved is a message about a player, from a moment so many seconds after noon.
func UserSaved(player, name string, seconds int) string {
	return fmt.Sprintf(`{"type":"user.updated","data":{"id":"%s","first_name":"%s","updated_at":%d}}`,
		player, name, Noon.Add(time.Duration(seconds)*time.Second).UnixMilli())
}

func (s *Stack) NameOf(player string) string {
	s.Handler = s.Process() // which has not seen any name
	var b struct {
		Mode, Period, Key, Scope string
		Entries                  []struct {
			Rank                         int
			Player                       string
			Score                        int
			Name, Picture, Country, Note string
		}
	}
	s.Want(http.StatusOK, Post(Lookup, `{"players":["`+player+`"]}`)).Into(s, &b)
	require.Len(s, b.Entries, 1)
	return b.Entries[0].Name
}
