package issuer

import (
	"context"
	"errors"
	"strings"
	"time"

	"strongroom/internal/crypto/signing"
	"strongroom/internal/record"
	"strongroom/internal/strictjson"
)

// Ready returns an error if there is no key to sign with.
func (i *Issuer) Ready() error {
	if known := i.current.Load(); known == nil || known.kid == "" {
		return errNoKey
	}
	return nil
}

var errNoKey = errors.New("no signing key could be read")

// Verify returns the payload of a JWS that [Issuer.Sign] made with this typ, by any
// key that is published. ok is false for any other text: of another issuer, with
// another typ, algorithm or header member, or edited.
//
// It accepts only the form that Sign writes. So two JWS libraries cannot read the text
// differently, and the header chooses nothing but the key.
func (i *Issuer) Verify(ctx context.Context, typ, text string) (payload []byte, ok bool, err error) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return nil, false, nil
	}
	header, headerOK := strictjson.Base64URL(parts[0])
	payload, payloadOK := strictjson.Base64URL(parts[1])
	signature, signatureOK := strictjson.Base64URL(parts[2])
	if !headerOK || !payloadOK || !signatureOK {
		return nil, false, nil
	}
	members, err := strictjson.Object(header)
	kid, named := members["kid"].(string)
	if err != nil || !named || len(members) != 3 || members["alg"] != signing.Algorithm || members["typ"] != typ {
		return nil, false, nil
	}
	public, err := i.publicKey(ctx, kid)
	if err != nil || public == nil || !signing.Verify(public, text[:len(text)-len(parts[2])-1], signature) {
		return nil, false, err
	}
	return payload, true, nil
}

// rereadEvery is the shortest time between two readings of the keys for unknown ones.
const rereadEvery = time.Second

// publicKey returns a published key, or nil. Another instance may sign with a new
// key before this one has read it, so it reads the keys again for an unknown one.
func (i *Issuer) publicKey(ctx context.Context, kid string) ([]byte, error) {
	if known := i.current.Load(); known != nil && known.public[kid] != nil {
		return known.public[kid], nil
	}
	if err := i.lock(ctx); err != nil {
		return nil, err
	}
	defer i.unlock()
	if time.Since(i.readAt) >= rereadEvery {
		all, now, err := i.read(ctx)
		if err == nil {
			err = i.adopt(all, now)
		}
		if err != nil {
			return nil, i.cfg.Records.Report(ctx, record.System, err)
		}
		i.readAt = time.Now() // not after a failure: whether the key exists is still unknown
	}
	if known := i.current.Load(); known != nil {
		return known.public[kid], nil
	}
	return nil, nil
}
