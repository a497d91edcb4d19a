package ops

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
)

// statusOf is the endpoint of the state of the product.
type statusOf struct{ Config }

// GetStatus reports the state of the product: GET /v1/ops/status. The answer lists problems,
// and is 200 even if there are some.
func (s statusOf) GetStatus(w http.ResponseWriter, r *gate.Request) error {
	report, err := s.Status.Report(r.Context())
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, report)
}
