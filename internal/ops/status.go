package ops

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/status"
)

// Status says how the product stands.
type Status interface {
	Report(ctx context.Context) (status.Status, error)
}

// statusOf is the endpoint of how the product stands.
type statusOf struct{ product Status }

// getStatus says how the product stands: GET /v1/ops/status. Problems are part
// of the answer, so it is 200 with them too.
func (s statusOf) getStatus(w http.ResponseWriter, r *gate.Request) error {
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	report, err := s.product.Report(r.Context())
	if err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusOK, report)
}
