package apitest

import (
	"fmt"
	"net/http"
	"time"

	"github.com/stretchr/testify/require"
)

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

// Introduced makes a call as a player whom the session token gives a name and a country.
func Introduced(player string, c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		return c(s).Bearer(s.TokenWith(player, map[string]any{"name": "Ana", "country": "BR"}))
	}
}
