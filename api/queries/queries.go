// Package queries holds the GraphQL queries that a deployment keeps, for GET /graphql: each
// .graphql file of this folder, by the SHA-256 of its bytes. Only what serves GraphQL links
// it.
package queries

import "embed"

// Files are the queries.
//
//go:embed *.graphql
var Files embed.FS
