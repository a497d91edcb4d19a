package attack_test

import (
	"net/http"

	"github.com/stretchr/testify/require"
)

// arrangesDuels has two players meet.
func (p *product) arrangesDuels() {
	p.Helper()
	arranged := p.do(p.signed(request{method: "POST", path: "/v1/duels", body: `{"id":"m1","players":["user_b","user_c"]}`}))
	require.Equal(p, http.StatusCreated, arranged.status)
}

// hasReadyDuels requires that nobody has decided what was arranged.
func (p *product) hasReadyDuels() {
	p.Helper()
	read := p.do(request{method: "GET", path: "/v1/duels/m1"}.with(bearer(p.token("user_b"))))
	require.Contains(p, string(read.body), `"status":"ready"`)
}
