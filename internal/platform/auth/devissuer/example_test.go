package devissuer_test

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
)

func Example() {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	issuer, err := devissuer.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	sessions, err := issuer.Sessions(func() time.Time { return now })
	if err != nil {
		fmt.Println(err)
		return
	}
	token, err := issuer.Issue(devissuer.Claims{Player: "user_a", Name: "Ana", Country: "BR"}, now, time.Hour)
	if err != nil {
		fmt.Println(err)
		return
	}
	player, err := sessions.Verify(context.Background(), token)
	fmt.Println(player.ID, player.Name, player.Country, err)
	// Output: user_a Ana BR <nil>
}
