// Command submit is the function submit, on Lambda or Cloud Run.
package main

import "github.com/framedle/leaderboards/internal/product/app"

func main() { app.RunHTTP("submit") }
