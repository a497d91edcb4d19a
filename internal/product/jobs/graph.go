package jobs

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Graph makes the GraphQL handler for a value of the setting GRAPHQL; nil if it is off. It is
// passed in, so that only functions that serve GraphQL link it.
type Graph func(setting string) (graph.Engine, error)

// fromEnv makes the handler that the environment asks for. If made is nil, it returns nil.
func (made Graph) fromEnv() (graph.Engine, error) {
	if made == nil {
		return nil, nil
	}
	g, err := made(app.Getenv(app.EnvGraphQL))
	if err != nil {
		return nil, fmt.Errorf("what answers GraphQL: %w", err)
	}
	return g, nil
}

// ServeGraphQL is Serve for the function graphql.
func ServeGraphQL(made Graph) {
	app.RunWith(func(a *app.App) (app.Function, error) {
		g, err := made.fromEnv()
		if err != nil {
			return app.Function{}, err
		}
		kept, err := archiveFromEnv(1)
		if err != nil {
			return app.Function{}, err
		}
		p := NewProduct(a, kept)
		return app.Function{API: p.api, Handler: p.Function("graphql", Around{Graph: g})}, nil
	})
}
