package main

import (
	"fmt"
	"net/http"
)

// arrangesDuels has players meet on the nth day; one duel waits on the last.
func (d *drillProduct) arrangesDuels(n int, last bool) {
	d.Helper()
	for i, pair := range [][2]int{{0, 3}, {1, 4}, {5, 0}, {2, 4}} {
		players := []string{drillPlayers[pair[0]], drillPlayers[pair[1]]}
		id := fmt.Sprintf("duel-%d-%d", n, i)
		d.must("server", http.MethodPost, "/v1/duels", fmt.Sprintf(`{"id":%q,"players":[%q,%q]}`, id, players[0], players[1]))
		if i < 3 || !last { // one that has no result is forgotten when it expires
			d.must("server", http.MethodPost, "/v1/duels/"+id+"/result", fmt.Sprintf(`{"winner":%q}`, players[(n+i)%2]))
		}
	}
}

// opensDuels has a player challenge another, who does not answer.
func (d *drillProduct) opensDuels() {
	d.Helper()
	d.must("user_ana", http.MethodPost, "/v1/duels", `{"opponent":"user_cid"}`)
}
