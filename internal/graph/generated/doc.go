// Package generated is the executor that gqlgen makes of schema.graphqls.
package generated
