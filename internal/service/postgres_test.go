package service

import (
	"context"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/postgres/pgtest"
)

// atOnce finds the tests that are about several things at once. The short form, which the
// race detector watches, has no time for the others. With E2E_ALL=1 it runs them too.
const atOnce = "Parallel|AtOnce|Together|Instance|Process|While|Beside|During|Kill|Linearizable|Background|Stop|Wait|" +
	"Hang|Round|Beat|Pool|Cache|Flush|Worker|Overload|Panic|Cancel|Receiver|Model|Close"

func TestMain(m *testing.M) {
	flag.Parse()
	if run := flag.Lookup("test.run").Value; testing.Short() && run.String() == "" && os.Getenv("E2E_ALL") == "" {
		_ = run.Set(atOnce)
	}
	pgtest.Main(m)
}

// All of these tests run on PostgreSQL too. To run one of them:
//
//	go test -run TestOnPostgreSQL/TestAFilledStoreCanBeFilledFurther
func TestOnPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs them on SQLite only; the engine's own tests are short enough")
	}
	pgtest.Shared(t) // or skip
	tests := onPostgreSQL
	if os.Getenv("E2E_ALL") != "" {
		tests = slices.Concat(onPostgreSQL, longOnPostgreSQL)
	}
	for _, test := range tests {
		name := nameOf(test)
		t.Run(name, func(t *testing.T) {
			if name != nameOf(TestBackgroundWorkRunsUntilStop) { // it compares the goroutines of the process
				t.Parallel() // each has its own database, and mostly waits for it
			}
			test(t)
		})
	}
}

var onPostgreSQL = []func(*testing.T){
	TestAMovedAccountKeepsItsKeysCountersAndHistory,
	TestAnAccountCanMoveBackAndOldFilesAreRefused,
	TestGuessesAtBothStoresDuringAMoveShareOneLimit,
	TestAMoveWaitsForAPendingAttemptOrCountsIt,
	TestAKeyWithUsedCiphertextsDoesNotMove,
	TestKeysIssuedWhileAnAccountMovesMoveWithIt,
	TestARefusedMoveChangesNothing,
	TestAMoveAfterARestoreGivesNoAttemptsBack,
	TestAReceiptInARestoredDatabaseSaysSo,
	TestAPruneCarriesTheLastMoveOfEachAccount,
	TestAForgedMoveRecordIsFoundAfterAPrune,
	TestAKeyThatARotationPlanRefusesDoesNotMove,
	TestAnAccountCanMoveAfterADataKeyRotation,
	TestAKeyReplacedElsewhereHasEndedWhenItsAccountReturns,
	TestAKeyThatAnEndedPlanRefusedDoesNotArrive,
	TestTheTrailAloneShowsThatAFileWasReceived,
	TestAForgedMoveRecordIsFound,
	TestAParcelIsDeletedWhenItsAccountReturnsOrIsErased,
	TestAnAccountCanMoveAgainAfterAPrune,
	TestKeysKeepTheTagOfTheirCell,
	TestAKeyOfAnotherCellIsUnknown,

	TestFiftyParallelFirstRequestsGetOneKey,
	TestParallelRotationsEachAnswerAKeyAndLeaveOneValid,
	TestARotatedKeyIsRefusedAndErased,
	TestTheGracePeriodAllowsOnlyVerifyAndEnds,
	TestAnExpiredKeyIsReplaced,
	TestSettingTheClockForwardErasesNoDeviceKey,
	TestABacklogOfEndedKeysIsErasedInPortions,
	TestFiveOf200ParallelWrongGuessesAreEvaluated,
	TestFiftyParallelMatchesDoNotLock,
	TestALockedPINDoesNotLockThePasscode,

	TestARightAnswerAuthorizesOneTransaction,
	TestAReceiptNamesTheProvenKeyAndTheCredential,
	TestAReceiptSaysThatTheSecretMustBeChanged,
	TestAVerifyReturnsNoReceiptByDefault,
	TestSubstitutedTransactionsAndCiphertextsAreRefused,
	TestMalformedAuthorizationPlaintextsAreRefusedAndCostNoAttempt,
	TestMalformedAndAmbiguousTransactionsAreRefused,
	TestAuthorizeNeedsTheVerifyPermissionAndObeysCallerRates,
	TestACiphertextAuthorizesOnceWithReplayProtection,
	TestACachedKeyThatAnotherProcessEndedIsRefused,
	TestASetUnderAKeyInGraceUsesNoDecryptionBudget,
	TestAClientThatHangsUpStillUsesTheBudgetOfACachedKey,
	TestAResetUnderACachedKeyNeedsNoProof,
	TestACachedKeyThatAnotherProcessBoundNeedsItsProof,
	TestACachedKeyServesOnlyItsAccount,
	TestARefusedKeyIsNotRecordedAsUsed,
	TestAnAppendFailsIfTheNewestEntryWasRemoved,
	TestWithoutASigningKeyAuthorizeFailsAndCostsNoAttempt,
	TestAReceiptExpires,
	TestOnlyABackendRedeems,
	TestForgedAndMalformedReceiptsGetTheSameRefusal,
	TestReceiptsOfARetiredKeyAndANewKeyAreRedeemed,
	TestAReceiptOfANewKeyIsRedeemedAfterTheKeysCouldNotBeRead,
	TestAReceiptOfAWithdrawnKeyIsRefused,
	TestAReceiptIssuedByACopyIsRefused,
	TestReceiptEventsAreQueuedIfConfigured,
	TestARightAuthorizationBindsTheKeyToItsProof,
	TestAuthorizationsAndVerifiesShareOneGuessLimit,
	TestACrashDuringAuthorizeLeavesAtMostOneReceipt,
	TestAReceiptIsRedeemedOnce,
	TestAClockStepDoesNotLetAReceiptBeRedeemedTwice,
	TestRedemptionsAreSweptAfterTheirReceiptsExpired,
	TestARefusedRowIsMarkedAsLogged,
	TestSetNeverClearsALock,
	TestGuessesCountAndLockIfNothingIsSet,
	TestAnAttemptWhoseProcessDiedCounts,
	TestAVerdictThatComesTooLateIsWithheld,
	TestTheNextRightAnswerRehashesAtARaisedCost,
	TestASetHashesTheCurrentSecretOnlyToCompareIt,
	TestTheSummaryDoesNotTellAMatchWithAnOutdatedPIN,
	TestARightAnswerRehashesWithTheConfiguredAlgorithm,
	TestTheHistoryFindsPINsHashedWithAnotherAlgorithm,
	TestChangingTheHashAlgorithmDoesNotResetFailures,
	TestAConcurrentSetWinsOverARehash,
	TestARightAnswerToAReplacedPINResetsNoFailures,
	TestUndecryptableCiphertextsUseTheBudgetAndCostNoAttempt,
	TestAPasscodeIsComparedInNFC,
	TestAForbiddenPINIsRefusedOnSetAndWrongOnVerify,
	TestOperatorsUnlockRevokeAndErase,
	TestTheSummaryCountsEveryOperationOnceEvenAfterAKill,
	TestPercentilesCoverAllInstancesAndSurviveARestart,
	TestTheKeyGenerationLimitCountsEveryKeyRequestAndRefusesOnlyWhenEnforced,

	TestAnUnlockForgivesAttemptsWhoseProcessDied,
	TestALockHasOneTrailEntry,
	TestAnAttemptThatWasNeverComparedCostsNothing,

	TestAccountsWithTheSameDeviceShareNothing,
	TestKeysAreIssuedOnlyWithAProofIfOneIsRequired,
	TestAnUnboundTokenReachesThePINThroughANewDevice,
	TestANewDeviceIsBoundToItsFirstProof,
	TestAMereRequestDoesNotBindADeviceThatHasAKey,
	TestAKeyInGraceIsNotBound,
	TestARightPINBindsAnUnboundKey,
	TestARightCurrentPINBindsAnUnboundKey,
	TestABindingPassesFromKeyToKey,
	TestOperatorsEndBindings,
	TestAResetEndsABinding,
	TestADPoPBoundTokenBindsTheDeviceImmediately,
	TestOneOfEightParallelProofsBinds,
	TestAKeyOfAnotherAccountGetsTheAnswerOfAnUnknownKey,
	TestAnInvalidKeyIDGetsTheAnswerOfAnUnknownKey,
	TestAStolenDeviceLocksItselfBeforeItsOwner,
	TestAStrangerCannotLockAnAccount,
	TestKeyGenerationsAreCountedPerAccountAndDevice,
	TestSetNeedsTheResetScopeWhileLocked,
	TestEachOperationNeedsItsPermission,
	TestACiphertextWorksOnceAcrossAllOperations,
	TestWithoutReplayProtectionACiphertextMayBeSentAgain,
	TestTheCiphertextsOfAnEndedKeyAreSwept,
	TestAPreviousPINIsRefusedAndCountsAsAGuess,
	TestASetThatIsNotStoredCountsAsAGuess,
	TestASetThatWasComparedIsNotAnsweredAsOverloaded,
	TestASetThatIsOvertakenInEveryRoundIsNotAcknowledged,
	TestACommonPINIsRefusedOnSetAndWrongOnVerify,
	TestTheCurrentPINOfASetCountsLikeAVerify,
	TestACurrentPINIsWrongIfNoneIsSet,
	TestASetThatAnotherSetOvertakesIsDecidedAgain,
	TestBothCiphertextsOfAReplacementAreSpent,
	TestASetComparedWithTheHistoryCountsAsAGuess,
	TestASettingMakesReplacementsRequireTheCurrentPIN,
	TestAnOverwriteNeedsARecentSignInAndTheCurrentPIN,
	TestRefusedOverwritesAreRateLimited,
	TestALongHistoryCostsOneHash,
	TestALabelledCiphertextServesItsPurposeOnly,
	TestACallerOverItsRateIsRefusedOrReported,

	TestWithoutRSAThereIsNoPool, TestNewKeysComeFromAPoolThatRefillsItself,
	TestAPanicDuringARefillIsLoggedWithItsPlace,
	TestAFailedKeyGenerationFailsOnlyItsRequest,
	TestAnOpenedKeyIsUsedOnlyWhileItsRecordAllows,
	TestTheKeyCacheIsBoundedAndEmptiedAtRest,
	TestAKeyThatEndsDuringARequestIsNotCached,
	TestAnOpenedKeyIsKeptForAMinuteAtMost,

	TestAccountsWithSwappedNamesGetNoNewKeys,
	TestAnEarlierPrivateKeyOfTheSameDeviceIsRefused,
	TestTheServiceRefusesRequestsIfItsTrailIsMissing,
	TestAnUnreadableAttemptCounterIsRefused,
	TestAnOperatorCanReplaceAnEditedAttemptCounter,
	TestAnOperatorCanReplaceAnEditedKey,
	TestAnEditedKeyIsRefusedAfterItsEnd,
	TestRevokingAnEditedKeyEndsItsBinding,
	TestACallerWithResetReplacesAnEditedVerifier,
	TestAnAccountWithAnEditedNameCanBeErased,
	TestALockMissingFromListsIsListedAgain,
	TestAClockStepIsReported,
	TestSettingTheClockForwardDoesNotEndALock,
	TestSettingTheClockForwardDoesNotEmptyTheRollingWindow,
	TestSettingTheClockForwardDoesNotUnlockADevice,
	TestSettingTheClockForwardDoesNotPruneTheTrail,
	TestNothingIsPrunedIfTheClocksDiffer,
	TestAReceiptOfAClockThatWasAheadIsRefused,
	TestSettingTheClockForwardDoesNotForgetActs,
	TestSettingTheClockForwardDoesNotDeleteMetrics,
	TestSettingTheClockForwardDoesNotDeleteDeadLetters,
	TestARotatedKeyInGraceCannotBeMadeActiveAgain,
	TestARestoredErasedCredentialIsDetected,
	TestFrequentAppVersionChangesWriteFourEntriesPerHour,
	TestOnlyThePreviousKeyIsInGrace,

	TestAPrivateKeyOpensInItsOwnRecordOnly,
	TestAVerifierOpensInItsOwnRowOnly,
	TestAPreviousCredentialDoesNotOpenAsThePresentOne,
	TestAnErasedAccountLeavesNoVerifierBehind,
	TestAParallelReplayIsRefusedAndCostsNoAttempt,
	TestAClientThatHangsUpDoesNotGetItsAttemptBack,
	TestAVerifyCostsTheSameWorkIfNothingIsSet,
	TestRefusingAnyPreviousPINCostsTheSameWork,
	TestASetWithOneRepeatedCiphertextIsRefused,

	TestAMissingRootKeyIsNotCreatedForAFilledDatabase,
	TestAFilledDatabaseRefusesAnotherAccountMode,
	TestProcessesThatStartTogetherCreateOneKeyset,
	TestStopWritesCountsThatWereOnlyInMemory,
	TestBackgroundWorkRunsUntilStop,
	TestAClosedStoreGivesErrorsAndNeverTrue,
	TestAFailedTransactionNeverGivesAVerdict,
	TestAFailedFlushLosesNoCount,
	TestACommittedActIsNotReportedAsFailed,
	TestOverloadIsRefusedAndCostsNoAttempt,
	TestAPanicCountsAsAFailureAndReleasesItsWorker,
	TestAPrivateKeyIsWipedOnceItIsSealed,

	TestAFilledStoreWorksLikeOneWrittenByClients,
	TestAFilledStoreCanBeFilledFurther,
	TestAPausedRewrapStaysPaused,
	TestARewrapPausesWhileItWaitsForOtherProcesses,
	TestARowWhoseEditWasUndoneKeepsItsDataKey,
	TestARewrapThatFailsIsLoggedLikeOtherBackgroundWork,
	TestAStoreWithOtherRecordsIsNeverFilled,

	TestTheSummaryIncludesUnfoldedOperationsOfAKilledInstance,
	TestTheSummaryIncludesOperationsOfALostFlush,
	TestAFlushWritesWithoutTheChainsOfOtherProcesses,
	TestASummaryWaitsForAFlushOnlyAsLongAsItsClient,
	TestOnlyARunningInstanceItselfFoldsItsChains,
	TestADamagedPositionStopsNoFlushOfAnyInstance, TestADamagedPositionStopsNoPrune, TestASummaryLeavesOutAndReportsADamagedSketch,
	TestInstancesTieEachOthersChains,
	TestATieRevealsAChainThatWasCutOff, TestAForgedTieTimeDoesNotPreventATie,
	TestARunningInstanceTiesTheChainsOfAllInstances,
	TestTheKeyGenerationLimitAppliesPerInstanceOrPerCluster,
	TestAShedRequestIsNotCountedAsAKeyGeneration,
	TestKeyGenerationsDuringAStoreOutageAreNotCounted,
	TestFiveOf40ParallelKeyRequestsSucceed,
	TestAClientThatHangsUpGetsNoKeyPairsBeyondItsLimit,
	TestAKeyWhoseCommitHasNoAnswerCounts,
	TestAnExistingKeyIsAlwaysReturnedIfOnlyGenerationsCount,
	TestAnAccountCannotExceedItsDeviceLimit,
	TestCountsOfKeyGenerationsInTheStoreAreBounded,
	TestUnidentifiedCallersTakeTurnsByAccount,
	TestKeyGenerationsAreCountedInTheStoreWithoutEnforcement,

	TestACheckpointIsRetriedUntilTheSinkAcceptsIt,
	TestACutTrailIsNotSignedByAProcessThatStartsLater,
	TestNothingIsSignedWhileTheSinkCannotBeRead,
	TestAStartIsRefusedWhileTheFileOfCheckpointsCannotBeRead,
	TestAnOldCheckpointThatIsAppendedAgainDoesNotAcceptAnOlderDatabase,
	TestAnOperatorsCheckpointIsInTheTrail,
	TestAServerMakesCheckpointsWhileItRuns,
	TestAPrunedTrailStillProvesTheRecords,
	TestADamagedTrailIsNotPruned,
	TestAnArchiveAndTheTrailProveTheWholeHistory,
	TestAnExportOfWhatAPruneLeftIsNotItsArchive,
	TestAnArchiveBeginsAfterTheCutOfAnEarlierPrune,
	TestAFailedPruneSaysWhetherToKeepItsArchive,
	TestAServerPrunesOnceADay,
	TestAnExportReportsEntriesPrunedBeforeExport,
	TestAPruneKeepsNewerUnfoldedAndNewestEntries,
	TestTheLagMetricsShowUnwrittenWork,
	TestAMissingRootKeyIsReported,
	TestAnyRootKeyOfTheListOpensTheDatabase,
	TestTheLastRootKeyThatOpensTheDatabaseStays,
	TestAURLOfTwoRootKeysRemovesNone,
	TestARotationThatAddedADataKeySaysSo,
	TestAKilledRotationOfTheDataKeySaysThatItMustContinue,
	TestARestoredKeysetIsRefused,
	TestAProcessWithOlderDataKeysChangesNoKeys,
	TestAnAgeIdentityOpensADatabaseWhoseRootKeysAreLost,
	TestADataKeyCanBeRotatedWhileInstancesRun,
	TestAServerKeepsReportingWhichDataKeysItKnows,
	TestARewrapContinuesAfterTheClockIsSetBack,
	TestAnEventUnderANewDataKeyIsSentByAProcessThatStoodStill,
	TestAnEventUnderTheOldDataKeySurvivesTheRotation,
	TestARowUnderADestroyedDataKeyIsRefused,
	TestAnInstanceThatWasPausedWhileItsDataKeyWasDestroyedContinues,
	TestARowWrittenUnderTheOldDataKeyAfterTheRewrapIsNotLost,
	TestSettingsSurviveADataKeyRotation,
	TestAnEntryUnderADestroyedDataKeyIsFound,
	TestAnInstanceWithoutTheActiveDataKeyRefusesToWrite,
	TestAnInstanceThatCannotLearnAllDataKeysDoesNotWriteUnderAnOldOne,
	TestAnInstanceWhoseRootKeyHangsRefusesToWrite,
	TestACancelledCheckReportsNoRootKeyAsDown,
	TestAWrapThatDoesNotOpenIsNeverStored,
	TestAServerReportsItsDataKeysAfterACancelledCheck,
	TestTheMetricsShowTheStateOfTheWorkerPool,

	TestAnActIsRecordedWithActorAndReason,
	TestAVerifiedBackupIsAsOldAsTheFirstEntryThatItLacks,
	TestABackupOfAnotherStateOfTheDatabaseIsNotNoted,
	TestARepeatedActIsDoneOnce,
	TestInvalidPagePositionsAndFiltersAreRefused,
	TestAnOlderDatabaseIsRefusedUntilItIsAcceptedByName,
	TestARestartAfterARollbackIsRefused,
	TestAnEditedWitnessIsRefused,
	TestLegitimateWorkDoesNotContradictTheWitness,
	TestAStartWithoutTheWitnessIsRefusedUntilAccepted,
	TestAMissingWitnessIsDetectedAfterAPrune,
	TestAWitnessIsBegunAtANewPlace,
	TestAttemptsUnderWayInABackupLeaveEachAccountOneAttempt,
	TestARestoreForAnotherWitnessIsRefusedUntilItIsAcceptedByName,
	TestARestoreIsAcceptedByTheWitnessThatItFound,
	TestARestoreIsRefusedIfTheServiceRanAfterIt,
	TestARemovedWitnessIsDetectedAfterARestoreElsewhere,
	TestAnEditCannotBindARestoreToTheWitness,
	TestARunningInstanceIgnoresEditedWitnessNotes,
	TestARunningInstanceNoticesThatItsWitnessWasPutBack,
	TestAWitnessNoteOfALaterEpochStopsTheService,
	TestANoteThatStoppedTheServiceIsNotReplaced,
	TestAWitnessThatFailsIsLoggedOnce,
	TestANoteIsNotOlderThanACountWhoseAnswerWasLost,
	TestATPMThatWasClearedRefusesTheStart,
	TestANoteFromBeforeTheTPMCountedItIsRefused,
	TestAKillOfTheFirstStartsWithATPMRefusesNoStart,
	TestACounterThatIsDeletedWhileTheServiceRunsIsLogged,
	TestTheWitnessListsKeysThatEnded,
	TestAClockThatWasAheadHidesNoEndedKeyFromTheWitness,
	TestTheWitnessSurvivesADataKeyRotation,
	TestAnIdleProcessDetectsARollback,
	TestRestoredAttemptCountersAreDetected,
	TestARunningProcessDetectsARollbackWithoutARequest,
	TestRestoredCountersAllowNoMoreParallelGuessesThanTheLimit,
	TestAForgedErasureEntryDoesNotExplainAMissingRow,
	TestAnEditedRowDoesNotCountAsARollback, TestAnEditedRowOfAnotherInstanceDoesNotCountAsARollback,
	TestARestoredErasedRowIsDetected,
	TestARowErasedBeforeTheStartCanBeRestoredOnlyOnce,
	TestAChangeByAnotherInstanceDoesNotCountAsARollback,
	TestACommitWithAnUnknownOutcomeDoesNotCountAsARollback,
	TestALostVerdictIsWrittenAgainDespiteALapsedAttempt,
	TestAnErasureIsScrubbedAfterItsCommit,
	TestARowRestoredBehindAnotherInstanceIsDetected, TestAPruneByAnotherProcessDoesNotCountAsARollback,
	TestAnIdleInstanceLooksRarelyAndStillDetectsRollbacks,
	TestAnInstanceThatIsNotAloneLooksAtEachGlance,
	TestReadsOfARoundShareATransaction, TestACanceledReadLeavesTheRound, TestAReadDoesNotWaitForeverForALook,
	TestAForgedNewestEntryDoesNotHideThatAnInstanceIsAtWork,
	TestAnInstanceThatStartsLaterIsFollowed,
	TestAWrongVerdictWaitsUntilAllInstancesKnowTheGuess, TestAGuessWhoseClientHangsUpIsInTheSummary,
	TestAnInstanceThatIsBehindCatchesUpInOneBeat,
	TestAGuessBySetWaitsLikeAWrongVerdict,
	TestAWrongVerdictWaitsForADeadInstanceUntilItsLeaseEnds,
	TestASilentInstanceAnnouncesItselfBeforeAWrongVerdict,
	TestTheFirstWrongVerdictOfAnInstanceWaitsUntilOthersKnowIt,
	TestARestoredBeatIsDetected,
	TestAFindingOfOneInstanceReachesTheOthers,
	TestAnAttemptCounterRemovedBehindAnotherInstanceIsDetected,
	TestAnErasedAttemptCounterStartsAgain,
	TestTwoInstancesGiveNoMoreWrongVerdictsThanOne,
	TestAVersionThatTwoInstancesWroteIsDetected,
	TestATieToAMissingEntryIsDetected,
	TestARestoredRowThatAnotherInstanceErasedIsDetected,
	TestAnEditedEntryIsReportedOnceAndNotFollowed,
	TestFollowersSeeNoRollbackInLegitimateWork,
	TestDevicesAreFoundByTheirProperties,
	TestTheKeyCounterOfAClusterIsReadFromTheStore,
	TestAnAccountShowsItsAttemptCountersAndLocks,
	TestEditedEntriesAreMarkedAndNotCounted,
	TestATruncatedLockTrendShowsOnlyTheCountedHours,
	TestAccountsArePagedAndFoundByName,
	TestTheUseOfAKeyIsNotedOnceAnHour,
	TestAnAddressThatGuessesAtManyAccountsIsSuspected,
	TestADeviceThatGuessesAtManyAccountsIsSuspected,
	TestASiteThatGuessesAtManyAccountsIsSuspected,
	TestRefusedCallersUseUpTheRateOfTheirAddress,
	TestTheNetworksOfASiteShareARate,
	TestACachedKeyHoldsNoPrivateNumbers,
	TestARefusalOfAnEndedKeyIsLoggedWithoutAnEmptyKey,
	TestAResetTestsNoMoreGuessesThanTheHistoryHolds,
	TestPagingTheTrailReturnsEachEntryOnceWhileItGrows,
	TestInDeviceModeADeviceIdFindsItsAccountsEntries,
	TestATrailExportInPartsIsComplete,
	TestARotationPlanReplacesSelectedKeysAtNextUse,
	TestAnOperatorNeverWaitsForACountOfAllKeys,
	TestAStoppedPlanKeepsTheCountOfItsEnd,
	TestAPlanRefusesUseOfItsKeysWithoutCountingAttempts,
	TestInvalidPlansAreRefusedAndOldPlansAreDropped,
	TestDatabaseEditsDoNotEndAPlan,
	TestARestoredSettingDoesNotRestartAnEndedPlan,
	TestAKeyInGraceStaysRefusedAfterItsPlanHasFinished,
	TestAnUnchangedPlanIsComparedWithTheTrailEvery10Seconds,
	TestAPlanContinuesAfterItsRecordsAreDeleted,
	TestForgedEntriesDoNotEndAPlan,
	TestAPruneKeepsTheHistoryOfAPlan,
	TestAnErasedAccountIsFoundInTheTrailByItsIdAndByItsHash,
	TestAnErasedAccountLeavesNoDeviceDataInPlaintext,
	TestKeysOfAnAccountThatAnOlderVersionErasedAreRemoved,
	TestARestoredErasedKeyIsDetected,
	TestAnAccountExportIsCompleteAndRecordedInTheTrail,
	TestASignedKeyNamesItsAccountAndDevice,
	TestWithoutAChallengeAKeyIsSignedOnceInTwelveHours,
	TestAKeyIsSignedAgainAfterTheClockWasSetBack,
	TestMalformedChallengesAreRefused,
	TestTheStatusCountsDownToEachLock, TestAStatusWhoseClientHangsUpIsNotARefusal,
	TestALowerRollingLimitLocksAtTheNextFailure,
	TestInstancesThatStartTogetherMakeOneSigningKey,
	TestASigningKeyIsReplacedByAge,
	TestALateSuccessorIsPublishedBeforeItSigns,
	TestSettingTheClockForwardErasesNoSigningKey,
	TestAFirstSigningKeyOfAClockThatWasAheadSigns,
	TestAnOperatorRotatesTheSigningKey,
	TestAnEditedSigningKeyIsRefusedAndWithdrawn,
	TestAWithdrawnSigningKeyCannotBeRestored,
	TestTheStatusCountsTheDevicesOwnAttempts,
	TestAStatusCostsNoAttemptAndCountsAsNoOperation,
	TestTheStatusIsOnlyForTheAccountsOwnCaller,
	TestInDeviceModeTheStatusNeedsAProof,
	TestAStatusOfEditedRowsIsRefused,
	TestASecretMarkedForChangeWorksUntilItIsReplaced,
	TestOnlyAResetCanSetASecretMarkedForChange,
	TestATrailSearchReportsHowFarItSearched,
	TestAnAccountWithAnEditedNameIsShownAndMarked, TestListsContinueAfterEditedRows, TestFiltersThatExcludeEachOtherAreRefused, TestActsOnAnAccountWithAnEditedNameSayHowToRepairIt,
	TestHealthShowsTheInstance,
	TestOperationsAreBucketedByTheTimeframe,

	TestHistoriesOfOneAccountAreLinearizable,

	TestNoEventIsLostOrOutOfOrderWithAFailingReceiver,
	TestQueuedEventsOfAKilledProcessGoToTheNewReceiver,
	TestEventsFitTheirSchema,
	TestAnEventThatWasEditedIsNeverSent,
	TestEventsSurviveADataKeyRotation,
	TestDeadLettersAreListedAndSentAgain,
	TestEditedDeadLettersDoNotKeepLaterOnesFromBeingResent,
	TestWithoutAReceiverTheOutboxStaysEmpty,
	TestRemovingTheReceiverEmptiesTheOutbox,
	TestAnErasureEventRemovesTheAccountsDeadLetters,
	TestOnlyOneProcessSendsEventsAtATime,

	TestAnHPKEKeySetsAndVerifies,
	TestAClientThatListsNoAlgorithmGetsRSA,
	TestARotationCanChangeTheAlgorithm,
	TestAnUnusableListOfAlgorithmsIsRefused,
	TestChangingTheKeyAlgorithmNeedsTheSameProof,
	TestGuessesUnderAnHPKEKeyAreCountedExactly,
	TestAReplayedHPKECiphertextIsRefused,
	TestAnEditedAlgorithmIsRefused,
	TestAPlanUpgradesTheDevicesWhoseAppCanUseHPKE,
	TestTheEncryptHelperNeedsOperationKeyAndTypeForHPKE,
	TestParallelFirstRequestsWithDifferentListsLeaveOneKey,
	TestAnHPKEKeyNeedsAdmissionButNoWorker,
	TestEveryEncryptedInputAcceptsHPKE,
	TestARecordedSetIsNoCurrentSecretIfThePurposeIsRequired,
	TestACurrentSecretOfHPKEIsBoundToItsCredential,
	TestASignedHPKEKeyNamesItsAlgorithm,
	TestEveryBrokenHPKECiphertextGetsTheSameAnswer,
	TestUndecryptableHPKECiphertextsUseTheBudgetAndCostNoAttempt,
	TestIssuedKeysAreCountedByAlgorithm,

	TestAQuietChainThatMovesIsFollowed,
	TestAnEndedChainThatWasCutOffIsDetected,
	TestAnIdleInstanceChecksRecentlyEndedChains,

	TestTheServiceMatchesTheModel,
}

// longOnPostgreSQL are tests of rules that do not depend on the engine. They would take a
// third of the time of all tests there, so they run there with E2E_ALL=1 only, which make
// soak sets. Shorter tests run their statements there each time.
var longOnPostgreSQL = []func(*testing.T){
	TestAMoveComparesEntriesThatAreMadeWhileItReads,
	TestAMoveReadsAllEntriesOfItsAccount,
	TestAnAccountWithManyEndedKeysMovesAndReturns,
	TestAnAccountWithRestoredRowsDoesNotMove,
	TestAnAccountWithTooManyKeysIsNotMoved,
	TestAnEditedMoveRecordIsFound,
	TestAnEditedRowIsRefusedLoggedAndAudited,
	TestAnErasureOfManyKeysIsDoneInPortions,
	TestAnInterruptedFillContinues,
	TestAPlanThatAPruneCarriedStaysEndedAfterManyOthers,
	TestAPruneRestatesChainsThatEndUnderADestroyedDataKey,
	TestARewrapContinuesAfterAKill,
	TestARewrapRenewsManyEventsInParts,
	TestARewrapWalksAgainIfItsWalkBeganTooEarly,
	TestAnInterruptedRotationSaysThatTheDataKeyIsStored, TestARotationWaitsForNoEndedInstanceAfterTheClockIsSetBack,
	TestAStartDistinguishesAWrongRootKeyFromADamagedDatabase,
	TestAuditVerifyFindsTamperingThatTheRunningServiceMisses,
	TestAuditVerifyNamesTheFirstBadEntry,
	TestEveryRestoredRowIsDetected,
	TestManyDeadLettersAreResentInOneAct,
	TestOneCallFindsTheEntriesOfARequest,
	TestTheMoveKeySurvivesADataKeyRotation,
}

// onSQLiteOnly are the other tests, and why they do not run on PostgreSQL.
var onSQLiteOnly = map[string]string{
	"TestARestoreCountsFailuresOfTheTimeInAnotherDatabase": "copies the database as a file",
	"TestARestoreErasesTheSigningKeysThatWereErased":       "copies the database as a file",
	"TestARestoreReplaysAttemptsThatAnEarlierRestoreEnded": "copies the database as a file",
	"TestARestoreReplaysOnlyFilesThatContinueItsTrail":     "copies the database as a file",
	"TestTheLinearizabilityCheckCanFail":                   "about the check, not the service",
	"TestTheEventSchemaRejectsInvalidEvents":               "uses no store",
	"TestAWitnessOfAnotherDatabaseIsKept":                  "has two databases beside each other",
	"TestTheDefaultWitnessOfAnotherDatabaseIsRenamed":      "has two databases beside each other",
	"TestAThrowAwayKeyIsNotCountedAndNeedsAdmission":       "about admission, not the store",
	"TestEveryReadOfTheAdminAPISaysThatTheDatabaseIsAway":  "the outage is simulated",
	"TestACheckOfTheStoreThatHangsIsReported":              "about a check that does not end, which no store of the test does by itself",
	"TestTheMemorySearchFindsASecretUntilItIsCleared":      "uses no store",
	"TestNoSecretOfAVerifyStaysInMemory":                   "about the memory of this process",
	"TestNoSecretOfASetStaysInMemory":                      "about the memory of this process",
	"TestNoOpenedPrivateKeyStaysInMemoryInItsStoredForm":   "about the memory of this process",
	"TestOnPostgreSQLEachOperationTakesFewRoundTrips":      "starts on PostgreSQL by itself",
	"TestDeadNodesOfTheDatabaseAreLoggedOnceAndNamed":      "the dead nodes are simulated",
	"TestOnPostgreSQLOperatorsPagesTakeFewRoundTrips":      "starts on PostgreSQL by itself",
	"TestOnPostgreSQLVerifiesDoNotDelayARotation":          "starts on PostgreSQL by itself",
	"TestOnPostgreSQLAnIdleInstanceSendsFewStatements":     "starts on PostgreSQL by itself",
	"TestChainsOfEndedProcessesCostFewStatements":          "starts on PostgreSQL by itself",
	"TestVerdictsUseAFormThatAllRunningInstancesCanRead":   "starts on PostgreSQL by itself",
	"TestRetentionDropsTheVerdictsOfAMonthAtOnce":          "likewise",
	"TestEntriesWaitForTheirPartitionForAMonthAtMost":      "likewise",
	"TestAManualPruneDoesNotWaitForAPartition":             "likewise",
	"TestThePartitionOfARunningProcessStays":               "likewise",
	"TestADropWaitsForTransactionsThatBeganBefore":         "likewise",
	"TestErasedKeysAndVerifiersAreNotInTheFiles":           "about the files of SQLite",
	"TestABlockedScrubIsRetriedRarely":                     "about the WAL of SQLite",
	"TestACommandWarnsOfErasedValuesInTheFiles":            "about the WAL of SQLite",
	"TestAccountsWithoutACredentialUseTheSameAlgorithmMix": "about hashes, and takes many verifies",
	"TestOnPostgreSQL":                          "runs the others",
	"TestEveryTestRunsOnPostgreSQLOrSaysWhyNot": "about the tests",
}

// A test that was forgotten would leave its promise untested there.
func TestEveryTestRunsOnPostgreSQLOrSaysWhyNot(t *testing.T) {
	listed := map[string]bool{}
	for _, test := range slices.Concat(onPostgreSQL, longOnPostgreSQL) {
		listed[nameOf(test)] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == "TestMain" {
				continue
			}
			if name := f.Name.Name; listed[name] == (onSQLiteOnly[name] != "") {
				t.Errorf("%s must be in one of onPostgreSQL, longOnPostgreSQL and onSQLiteOnly", name)
			}
		}
	}
}

func nameOf(test func(*testing.T)) string {
	name := runtime.FuncForPC(reflect.ValueOf(test).Pointer()).Name()
	return name[strings.LastIndex(name, ".")+1:]
}

func usesPostgreSQL(t testing.TB) bool { return strings.HasPrefix(t.Name(), "TestOnPostgreSQL/") }

// newDatabase is a database without a row in it.
func newDatabase(t testing.TB) database {
	t.Helper()
	if !usesPostgreSQL(t) {
		return sqliteDatabase(t, migratedSQLite(t))
	}
	emptied.Lock()
	defer emptied.Unlock()
	var url string
	if last := len(emptied.urls) - 1; last >= 0 {
		url, emptied.urls = emptied.urls[last], emptied.urls[:last]
	} else {
		url = pgtest.Pooled(t, pgtest.Database(t))
	}
	t.Cleanup(func() { empty(t, url) })
	return postgresDatabase(url)
}

// emptied are databases of earlier tests, for reuse: creating and migrating
// one takes longer than the rest of most tests.
var emptied struct {
	sync.Mutex
	urls []string
}

func empty(t testing.TB, url string) {
	t.Helper()
	var statements []string
	for _, table := range store.Tables {
		statements = append(statements, "DELETE FROM "+table.Name)
	}
	pgtest.Exec(t, url, strings.Join(statements, ";")) // one transaction
	emptied.Lock()
	defer emptied.Unlock()
	emptied.urls = append(emptied.urls, url)
}

// emptyDatabase is a database that nothing was done to yet.
func emptyDatabase(t testing.TB) database {
	t.Helper()
	if !usesPostgreSQL(t) {
		return sqliteDatabase(t, nil)
	}
	return postgresDatabase(pgtest.Database(t))
}

func postgresDatabase(url string) database {
	return database{driver: "pgx", source: url, open: func(ctx context.Context, now func() time.Time) (engine, error) {
		// Few, because most of the time to start a service there goes into opening them.
		return postgres.Open(ctx, postgres.Config{URL: url, MaxConnections: 4, Now: now})
	}}
}

// toPostgreSQL leaves v with an empty PostgreSQL database, and a root key of its own.
func (v *instance) toPostgreSQL() {
	v.t.Helper()
	v.store.Close()
	v.database = postgresDatabase(pgtest.Database(v.t))
	v.rootKey += "2"
	v.open()
}

// fewer is n on SQLite. It is a part of n on PostgreSQL, where each transaction
// is several round trips, and in the short form, where the race detector makes
// SQLite ten times slower.
func fewer(t testing.TB, n, part int) int {
	if usesPostgreSQL(t) || testing.Short() {
		return max(1, n/part)
	}
	return n
}

// fewerChecks makes rapid check fewer sequences on PostgreSQL and in the short
// form.
func fewerChecks(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	all := checks.Value.String()
	n, err := strconv.Atoi(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := checks.Value.Set(strconv.Itoa(fewer(t, n, 10))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = checks.Value.Set(all) })
}
