package jobs

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/product/app"
)

// graphFromEnv makes the GraphQL handler that the environment asks for. If made is nil, it
// returns nil.
func graphFromEnv(made func(setting string) (graph.Engine, error)) (graph.Engine, error) {
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
func ServeGraphQL(made func(setting string) (graph.Engine, error)) {
	app.RunWith(func(a *app.App) (app.Function, error) {
		g, err := graphFromEnv(made)
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
