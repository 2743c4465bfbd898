// Package generated is the executor that gqlgen makes of schema.graphqls.
//
// Its coercions are laxer than the GraphQL specification (a number passes for
// a string). Values are checked in package graph before they come here.
package generated
