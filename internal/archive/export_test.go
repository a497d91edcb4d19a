package archive

import (
	"context"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/framedle/leaderboards/internal/game"
)

// OpenOver opens an Archive whose connections are made by dial.
func OpenOver(o Options, dial func(ctx context.Context, network, address string) (net.Conn, error)) (*Archive, error) {
	a, err := Open(o)
	if err == nil {
		a.db.connections.config.DialFunc = pgconn.DialFunc(dial)
	}
	return a, err
}

// BoardQueries are what a board is made of and what is read from it, by name.
func BoardQueries() (boards, reads map[string]string) {
	return map[string]string{"day": dayBoard, "period": periodBoard, "groups": groupsBoard},
		map[string]string{"page": pageRows, "standing": standingRow, "lookup": lookupRows, "ends": endsRow, "buckets": bucketRows, "everybody": everyRow}
}

// OtherQueries are those that stand alone, by name.
func OtherQueries() map[string]string {
	return map[string]string{"groups": groupRows, "XP": XPRows, "named": named}
}

// RanksQuery is that of a player's ranks of days.
func RanksQuery(m *game.Mode) string { return ranksOf(m.Order, m.Ties) }
