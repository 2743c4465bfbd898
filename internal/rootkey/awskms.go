package rootkey

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/outbound"
)

// awsKeys are symmetric keys of AWS KMS. The credentials come from the SDK's default
// chain. They need kms:DescribeKey, kms:Encrypt and kms:Decrypt on the key.
var awsKeys = provider{
	form: "awskms:ARN of a key or an alias, such as awskms:arn:aws:kms:REGION:ACCOUNT:key/ID or awskms:arn:aws:kms:REGION:ACCOUNT:alias/NAME, with ?endpoint=URL for another address of KMS",
	check: func(rest string) error {
		_, err := parseAWSName(rest)
		return err
	},
	open:   openAWSKey,
	create: createAWSKey,
}

// awsName is a parsed URL.
type awsName struct {
	url, arn, region, endpoint string
}

var awsARN = regexp.MustCompile(`^arn:aws[a-z-]*:kms:([a-z0-9-]+):[0-9]{12}:(key/[0-9A-Za-z-]+|alias/[0-9A-Za-z/_-]+)$`)

func parseAWSName(rest string) (awsName, error) {
	name, endpoint, err := cutEndpoint(rest)
	if err != nil {
		return awsName{}, err
	}
	parts := awsARN.FindStringSubmatch(name)
	if parts == nil {
		return awsName{}, errors.New("not the ARN of a KMS key or alias")
	}
	return awsName{"awskms:" + rest, name, parts[1], endpoint}, nil
}

// awsKey is a key of AWS KMS. Its root key id is the id of the key, which is unique. The
// replicas of a multi-Region key share it: each opens what another one wrapped.
type awsKey struct {
	awsName
	id     string
	client *kms.Client
}

func openAWSKey(ctx context.Context, rest string) (seal.RootKey, error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	name, err := parseAWSName(rest)
	if err != nil {
		return nil, err
	}
	client, err := name.connect(ctx)
	if err != nil {
		return nil, err
	}
	out, err := client.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &name.arn})
	if err != nil {
		return nil, name.explain(err)
	}
	if err := name.usable(out.KeyMetadata); err != nil {
		return nil, err
	}
	name.arn = aws.ToString(out.KeyMetadata.Arn) // an alias can change to another key later
	return &awsKey{name, aws.ToString(out.KeyMetadata.KeyId), client}, nil
}

// connect returns a client with credentials for the region of the name.
func (n awsName) connect(ctx context.Context) (*kms.Client, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion(n.region), config.WithLogger(logging.Nop{}), config.WithAPIOptions(limitAWS), config.WithRetryer(func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = cloudTries, longestCloudPause
		})
	}))
	if err != nil {
		return nil, n.problem(Denied, "the AWS configuration cannot be read: "+oneLine(err.Error()), "correct the environment variables that begin with AWS_, and the files in ~/.aws")
	}
	client := kms.NewFromConfig(cfg, func(o *kms.Options) {
		if n.endpoint != "" {
			o.BaseEndpoint = &n.endpoint
		}
	})
	if at := aws.ToString(client.Options().BaseEndpoint); at != "" { // it can also come from the environment
		if err := checkEndpoint(at); err != nil {
			return nil, n.problem(Invalid, at+": "+err.Error(), "change AWS_ENDPOINT_URL_KMS or AWS_ENDPOINT_URL")
		}
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, n.credentials(err)
	}
	return client, nil
}

// limitAWS bounds the answers of KMS and of the services that give credentials. It is a
// step of the client and no transport, because AWS_CA_BUNDLE needs the transport of the SDK.
var limitAWS = []func(*middleware.Stack) error{func(stack *middleware.Stack) error {
	limit := func(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (middleware.DeserializeOutput, middleware.Metadata, error) {
		out, metadata, err := next.HandleDeserialize(ctx, in)
		if answer, ok := out.RawResponse.(*smithyhttp.Response); ok && answer.Response != nil && answer.Body != nil {
			answer.Body = outbound.LimitBody(answer.Body, maxCloudAnswer)
		}
		return out, metadata, err
	}
	return stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc("limit the answer", limit), middleware.After)
}}

// credentials explains why there are no credentials. If the metadata service (IMDS) does
// not answer, the machine has no role. That is not a network error.
func (n awsName) credentials(err error) error {
	if noAnswer(err) && !strings.Contains(strings.ToLower(err.Error()), "imds") {
		return away(n.url, "AWS (for credentials)", err)
	}
	return n.problem(Denied, "no AWS credentials: "+oneLine(err.Error()), awsCredentials)
}

const awsCredentials = "give this process credentials: the role of its machine, pod or task, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile; aws sts get-caller-identity as the same user shows them"

func (n awsName) problem(reason Reason, what, remedy string) error {
	return &Error{n.url, reason, strings.NewReplacer("{region}", n.region, "{key}", n.arn).Replace(remedy), errors.New(what)}
}

// usable refuses a key that cannot wrap, and says how to correct that.
func (n awsName) usable(is *types.KeyMetadata) error {
	if is == nil {
		return emptyAnswer(n.url, "metadata of the key")
	}
	if is.KeyUsage != types.KeyUsageTypeEncryptDecrypt || is.KeySpec != types.KeySpecSymmetricDefault {
		return n.problem(Invalid, fmt.Sprintf("the key is %s for %s", is.KeySpec, is.KeyUsage), "name a symmetric key for encryption (SYMMETRIC_DEFAULT, ENCRYPT_DECRYPT)")
	}
	switch is.KeyState {
	case types.KeyStateDisabled:
		return n.problem(Disabled, "the key is disabled", "enable it: aws kms enable-key --region {region} --key-id "+aws.ToString(is.KeyId))
	case types.KeyStatePendingDeletion, types.KeyStatePendingReplicaDeletion:
		when := ""
		if is.DeletionDate != nil {
			when = " on " + is.DeletionDate.UTC().Format("2006-01-02 15:04 UTC")
		}
		return n.problem(Disabled, "AWS deletes the key"+when, "keep it: aws kms cancel-key-deletion --region {region} --key-id "+aws.ToString(is.KeyId)+
			", then aws kms enable-key with the same arguments; a server that still runs can also move to another root key with root-key rotate")
	case types.KeyStatePendingImport:
		return n.problem(Disabled, "the key has no key material: it expired or was deleted", "import the same key material again")
	case types.KeyStateUnavailable, types.KeyStateCreating:
		return n.problem(Unavailable, "the key is in state "+string(is.KeyState), "wait, or connect its custom key store: aws kms describe-custom-key-stores --region {region}")
	}
	return nil
}

// ID returns the id of the key.
func (k *awsKey) ID() string { return "awskms:" + k.id }

// Wrap encrypts with the purpose as encryption context. CloudTrail logs it, and key
// policies can require it.
func (k *awsKey) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	bound, err := encryptionContext(associatedData)
	if err != nil {
		return nil, err
	}
	out, err := k.client.Encrypt(ctx, &kms.EncryptInput{KeyId: &k.arn, Plaintext: plaintext, EncryptionContext: bound})
	if err != nil {
		return nil, k.explain(err)
	}
	if len(out.CiphertextBlob) == 0 {
		return nil, emptyAnswer(k.url, "ciphertext")
	}
	return out.CiphertextBlob, nil
}

// Unwrap decrypts.
func (k *awsKey) Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	bound, err := encryptionContext(associatedData)
	if err != nil {
		return nil, err
	}
	out, err := k.client.Decrypt(ctx, &kms.DecryptInput{KeyId: &k.arn, CiphertextBlob: wrapped, EncryptionContext: bound})
	var invalid *types.InvalidCiphertextException
	var incorrect *types.IncorrectKeyException
	switch {
	case errors.As(err, &invalid), errors.As(err, &incorrect):
		return nil, seal.ErrSeal
	case err != nil:
		return nil, k.explain(err)
	case len(out.Plaintext) == 0:
		return nil, emptyAnswer(k.url, "plaintext")
	}
	return out.Plaintext, nil
}

func encryptionContext(associatedData []byte) (map[string]string, error) {
	if !utf8.Valid(associatedData) {
		return nil, errors.New("the purpose of a wrap under an AWS key must be text")
	}
	return map[string]string{"strongroom": string(associatedData)}, nil
}

// explain turns an error of a request into one for operators.
func (n awsName) explain(err error) error {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return away(n.url, "AWS KMS in "+n.region, err)
	}
	what := api.ErrorCode() + ": " + oneLine(api.ErrorMessage())
	if means, ok := awsErrors[api.ErrorCode()]; ok {
		return n.problem(means.reason, what, means.remedy)
	}
	var answer *smithyhttp.ResponseError
	if api.ErrorFault() == smithy.FaultServer || errors.As(err, &answer) && answer.HTTPStatusCode() >= http.StatusInternalServerError {
		return n.problem(Unavailable, what, awsBusy)
	}
	return n.problem(Invalid, what, "see this error in the reference of the AWS KMS API")
}

const (
	awsBusy    = "AWS KMS in {region} does not serve now: see the AWS Health Dashboard; nothing needs to be done if it passes"
	awsRefused = "the credentials of this process are not valid (any more): renew them, and check the clock of this machine; aws sts get-caller-identity shows whether they work"
	awsEnable  = "see its state: aws kms describe-key --region {region} --key-id {key}"
)

// awsErrors says for the error codes of AWS KMS and of AWS what they mean.
var awsErrors = map[string]struct {
	reason Reason
	remedy string
}{
	"NotFoundException":           {Missing, "check region, account and id: aws kms describe-key --region {region} --key-id {key}; a deleted key cannot be brought back, so start with another root key of the database or a recovery"},
	"AccessDeniedException":       {Denied, "allow kms:DescribeKey, kms:Encrypt and kms:Decrypt on {key} for this identity, in the key policy and in its IAM policy"},
	"DisabledException":           {Disabled, awsEnable},
	"KMSInvalidStateException":    {Disabled, awsEnable},
	"KeyUnavailableException":     {Unavailable, awsBusy},
	"InvalidKeyUsageException":    {Invalid, "name a symmetric key for encryption (SYMMETRIC_DEFAULT, ENCRYPT_DECRYPT)"},
	"KMSInternalException":        {Unavailable, awsBusy},
	"DependencyTimeoutException":  {Unavailable, awsBusy},
	"InternalFailure":             {Unavailable, awsBusy},
	"ServiceUnavailable":          {Unavailable, awsBusy},
	"ThrottlingException":         {Unavailable, awsThrottled},
	"RequestLimitExceeded":        {Unavailable, awsThrottled},
	"LimitExceededException":      {Unavailable, awsThrottled},
	"UnrecognizedClientException": {Denied, awsRefused},
	"InvalidClientTokenId":        {Denied, awsRefused},
	"ExpiredTokenException":       {Denied, awsRefused},
	"ExpiredToken":                {Denied, awsRefused},
	"IncompleteSignature":         {Denied, awsRefused},
	"RequestExpired":              {Denied, awsRefused},
	"InvalidSignatureException":   {Denied, "AWS does not accept the signature: the secret key, the clock of this machine or the region is wrong (an endpoint= must be of {region})"},
	"SignatureDoesNotMatch":       {Denied, "AWS does not accept the signature: the secret key or the clock of this machine is wrong"},
	"OptInRequired":               {Denied, "enable the region {region} for the account"},
}

const awsThrottled = "AWS KMS throttles requests of this account in {region}: find who sends them in CloudTrail, or raise the quota; nothing needs to be done if it passes"
