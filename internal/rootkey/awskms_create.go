package rootkey

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/smithy-go"
)

// createAWSKey creates a key with the default key policy, and an alias for it. AWS
// chooses the ids of keys, so a URL can name a new key only by its alias.
func createAWSKey(ctx context.Context, rest string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*askCloud)
	defer cancel()
	name, err := parseAWSName(rest)
	if err != nil {
		return err
	}
	account, alias, isAlias := strings.Cut(name.arn, ":alias/")
	if !isAlias {
		return name.problem(Invalid, "AWS chooses the id of a new key", "name an alias that does not exist yet (awskms:arn:aws:kms:REGION:ACCOUNT:alias/NAME)")
	}
	account = account[strings.LastIndex(account, ":")+1:]
	client, err := name.connect(ctx)
	if err != nil {
		return err
	}
	var missing *types.NotFoundException
	found, err := client.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: &name.arn})
	switch {
	case err == nil && found.KeyMetadata == nil:
		return emptyAnswer(name.url, "metadata of the key")
	case err == nil:
		return fmt.Errorf("%s: %w", name.url, fs.ErrExist)
	case !errors.As(err, &missing):
		return name.notCreated(err)
	}
	made, err := client.CreateKey(ctx, &kms.CreateKeyInput{Description: aws.String("Strongroom root key")})
	if err != nil {
		return name.notCreated(err)
	}
	if made.KeyMetadata == nil {
		return emptyAnswer(name.url, "metadata of the new key")
	}
	if is := aws.ToString(made.KeyMetadata.AWSAccountId); is != account {
		err = name.problem(Denied, "the credentials belong to account "+is, "use credentials of account "+account)
	} else {
		err = name.alias(ctx, client, alias, made.KeyMetadata.KeyId)
	}
	if err != nil {
		return errors.Join(err, name.unmake(ctx, client, made.KeyMetadata.KeyId))
	}
	return nil
}

func (n awsName) alias(ctx context.Context, client *kms.Client, alias string, id *string) error {
	_, err := client.CreateAlias(ctx, &kms.CreateAliasInput{AliasName: aws.String("alias/" + alias), TargetKeyId: id})
	var exists *types.AlreadyExistsException
	switch {
	case errors.As(err, &exists):
		return fmt.Errorf("%s: %w", n.url, fs.ErrExist)
	case err != nil:
		return n.notCreated(err)
	}
	return nil
}

// notCreated explains why a key was not created, which needs more permissions than its
// use.
func (n awsName) notCreated(err error) error {
	if api, ok := errors.AsType[smithy.APIError](err); ok && api.ErrorCode() == "AccessDeniedException" {
		return n.problem(Denied, oneLine(api.ErrorMessage()), "creating a key needs kms:DescribeKey, kms:CreateKey and kms:CreateAlias")
	}
	return n.explain(err)
}

// unmake schedules the deletion of a new key that got no alias. Nothing was encrypted
// with it.
func (n awsName) unmake(ctx context.Context, client *kms.Client, id *string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askCloud)
	defer cancel()
	if _, err := client.ScheduleKeyDeletion(ctx, &kms.ScheduleKeyDeletionInput{KeyId: id, PendingWindowInDays: aws.Int32(7)}); err != nil {
		return fmt.Errorf("the new key %s has no alias and was not deleted: %w", aws.ToString(id), n.explain(err))
	}
	return nil
}
