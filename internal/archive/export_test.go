package archive

import (
	"context"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// OpenOver opens an Archive whose connections are made by dial.
func OpenOver(o Options, dial func(ctx context.Context, network, address string) (net.Conn, error)) (*Archive, error) {
	a, err := Open(o)
	if err == nil {
		a.db.connections.config.DialFunc = pgconn.DialFunc(dial)
	}
	return a, err
}
