package service

import (
	"context"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// All of these tests run on PostgreSQL too. To run one of them:
//
//	go test -run TestOnPostgreSQL/TestAFilledStoreCanBeFilledFurther
func TestOnPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs them on SQLite only; the engine's own tests are short enough")
	}
	pgtest.Shared(t) // or skip
	for _, test := range onPostgreSQL {
		t.Run(nameOf(test), test)
	}
}

var onPostgreSQL = []func(*testing.T){
	TestAnAccountMovesWithAllThatGuardsIt,
	TestAnAccountComesBackAndOldFilesAreRefused,
	TestGuessesAtBothStoresDuringAMoveAreThoseOfOne,
	TestAMoveTakesNoGuessBackThatIsUnderWay,
	TestAKeyWithUsedCiphertextsDoesNotMove,
	TestAnAccountMovesWhileItsDevicesAskForKeys,
	TestAMoveIsRefusedWithoutAChange,
	TestTheKeyForMovesSurvivesARotationOfDataKeys,
	TestAnAccountDoesNotLeaveWithRowsThatWerePutBack,
	TestAKeyThatARotationPlanRefusesDoesNotMove,
	TestAnAccountLeavesAfterItsRowsWereSealedAnew,
	TestAKeyThatWasReplacedAwayHasEndedWhenItsAccountIsBack,
	TestAKeyThatAPlanRefusedDoesNotArriveAfterIt,
	TestTheTrailRemembersThatAFileWasReceived,
	TestAMoveThatWasEditedIsFound, TestAMoveThatWasPutInIsFound,
	TestWhatAnAccountLeftAsDoesNotOutliveIt,
	TestAnAccountLeavesAgainAfterAPrune,
	TestKeysKeepTheTagOfTheirCell,
	TestAKeyOfAnotherCellIsUnknown,

	TestFiftyFirstRequestsGiveOneKey,
	TestParallelRotationsEachAnswerAKeyAndLeaveOneValid,
	TestARotatedKeyIsRefusedAndErased,
	TestGraceIsForVerifyOnlyAndEnds,
	TestAKeyWhoseValidityEndedIsReplaced,
	TestABacklogOfEndedKeysIsErasedInPortions,
	TestTwoHundredParallelWrongGuesses,
	TestFiftyParallelMatchesDoNotLock,
	TestTheTwoCredentialsAreLockedApart,

	TestARightAnswerAuthorizesOneTransaction,
	TestAReceiptNamesTheProvenKeyAndTheCredential,
	TestWithoutTheSettingAVerifyHasNoReceipt,
	TestNeitherTransactionNorSecretCanBeExchanged,
	TestAPlaintextOfAnotherFormIsRefusedWithoutAnAttempt,
	TestATransactionThatHasTwoMeaningsIsRefused,
	TestAuthorizeNeedsThePermissionToVerifyAndHasItsRates,
	TestACiphertextAuthorizesOnceWithReplayProtection,
	TestAKeyThatAnotherProcessEndedIsRefusedAlthoughItIsKept,
	TestASetUnderAKeyInItsGraceUsesUpNoBudget,
	TestAClientThatHangsUpUsesUpTheBudgetOfAKeptKey,
	TestASetThatEndsABindingNeedsNoProofAlthoughTheKeyIsKept,
	TestAKeyThatAnotherProcessBoundNeedsItsProofAlthoughItIsKept,
	TestAKeptKeyIsOfItsAccountOnly,
	TestARefusedKeyIsNotNotedAsUsed,
	TestAnEntryIsNotAppendedWhereTheLastOneWasRemoved,
	TestWithoutASigningKeyNothingIsAuthorizedAndNoAttemptCounts,
	TestAReceiptExpires,
	TestOnlyABackendRedeems,
	TestAHostileReceiptIsRefusedInOneWay,
	TestAReceiptOfARetiredKeyAndOfAnotherInstancesNewKeyIsRedeemed,
	TestAReceiptOfAWithdrawnKeyIsRefused,
	TestTheIssuerOfACopyIsNotOurs,
	TestReceiptsGoOutAsEventsWhereTheyAreNamed,
	TestAnAuthorizationWithAProofBindsTheKeyAndThenNeedsIt,
	TestAuthorizationsAndVerifiesShareOneGuessLimit,
	TestAVerdictWithoutAnswerHasOneReceiptAtMost,
	TestAReceiptIsRedeemedOnce,
	TestNoClockThatIsSetLetsAReceiptBeRedeemedTwice,
	TestRedemptionsAreSweptAfterTheirReceiptsExpired,
	TestARefusedRowIsMarkedAsLogged,
	TestSetNeverClearsALock,
	TestNothingSetCountsAndLocksTheSame,
	TestAnAttemptWhoseProcessDiedCounts,
	TestAVerdictThatComesTooLateIsWithheld,
	TestARaisedCostIsTakenUpByTheNextRightAnswer,
	TestAnotherAlgorithmIsTakenUpByTheNextRightAnswerAndBack,
	TestTheHistoryKnowsPINsOfTheOtherAlgorithm,
	TestAnotherAlgorithmGivesNoGuessBack,
	TestASetThatComesBetweenWinsOverTheRehash,
	TestARightAnswerToAReplacedPINForgetsNoFailure,
	TestUndecryptableCiphertextsCostABudgetAndNoAttempt,
	TestAPasscodeIsComparedInNFC,
	TestThePolicyRefusesOnSetAndMismatchesOnVerify,
	TestOperatorsUnlockRevokeAndErase,
	TestTheSummaryCountsEveryOperationOnceAlsoAfterAKill,
	TestPercentilesAreOfAllInstancesAndSurviveARestart,
	TestTheKeyGenerationLimitCountsAllThreeAndRefusesOnlyWhenEnforced,

	TestAnUnlockForgivesAttemptsWhoseProcessDied,
	TestALockIsEnteredOnce,
	TestAnAttemptThatWasNeverComparedIsGivenBack,

	TestAccountsWithTheSameDeviceShareNothing,
	TestKeysAreIssuedOnlyWithAProofIfOneIsRequired,
	TestANewDeviceIsBoundToItsFirstProof,
	TestAMereRequestDoesNotBindADeviceThatHasAKey,
	TestAKeyInGraceIsNotBound,
	TestARightPINBindsAnUnboundKey,
	TestARightCurrentPINBindsAnUnboundKey,
	TestABindingPassesFromKeyToKey,
	TestOperatorsEndBindings,
	TestAResetEndsABinding,
	TestATokenThatNamesTheKeyBindsAtOnce,
	TestOfParallelProofsOneBinds,
	TestAForeignKeyIsAnsweredAsAnUnknownOne,
	TestAStolenDeviceLocksItselfBeforeItsOwner,
	TestAStrangerCannotLockAnAccount,
	TestTheKeyGenerationCounterIsOfAccountAndDevice,
	TestSetNeedsTheResetScopeWhileLocked,
	TestEachOperationNeedsItsPermission,
	TestACiphertextWorksOnceWhateverTheOperation,
	TestWithoutReplayProtectionACiphertextMayBeSentAgain,
	TestTheCiphertextsOfAnEndedKeyAreSwept,
	TestAPreviousPINIsRefusedAndIsAGuess,
	TestASetThatReplacesNothingIsACountedGuess,
	TestACommonPINIsRefusedByNameAndNotWhenVerified,
	TestTheCurrentPINIsComparedAsAVerifyDoes,
	TestACurrentPINWhereNoneIsSetIsWrong,
	TestASetThatIsOvertakenIsDecidedAnew,
	TestBothCiphertextsOfAReplacementAreSpent,
	TestASetComparedWithTheHistoryIsACountedGuess,
	TestEveryReplacementCanBeMadeToNeedTheCurrentPIN,
	TestAnOverwriteNeedsARecentSignInAndTheCurrentPIN,
	TestRefusedOverwritesAreFew,
	TestALongHistoryCostsOneHash,
	TestALabelledCiphertextServesItsPurposeOnly,
	TestACallerOverItsRateLearnsWhenToRetry,

	TestWithoutRSAThereIsNoPool, TestNewKeysComeFromAPoolThatRefillsItself,
	TestAGenerationThatFailsFailsItsRequestOnly,
	TestAnOpenedKeyIsUsedOnlyWhileItsRecordAllows,
	TestOpenedKeysAreBoundedAndForgottenAtRest,
	TestAKeyThatEndedWhileItWasWaitedForIsNotKept,
	TestAnOpenedKeyIsKeptForAMinuteAtMost,

	TestAnEditedRowIsRefusedLoggedAndAudited,
	TestAccountsThatExchangedTheirNamesGetNoNewKeys,
	TestAuditVerifyFindsWhatTheRunningServiceCannotSee,
	TestAuditVerifyNamesTheFirstBadEntry,
	TestAnEarlierPrivateKeyOfTheSameDeviceIsRefused,
	TestWithoutItsTrailTheServiceAnswersNothing,
	TestAnUnreadableAttemptCounterIsRefused,
	TestAnOperatorCanReplaceAnEditedAttemptCounter,
	TestAnOperatorCanReplaceAnEditedKey,
	TestALockThatNoListFindsIsListedAgain,
	TestASetClockIsReported,
	TestAClockThatWasSetForwardEndsNoLock,
	TestAClockThatWasSetForwardEmptiesNoWindow,
	TestAClockThatWasSetForwardUnlocksNoDevice,
	TestAClockThatWasSetForwardPrunesNoTrail,
	TestARotatedKeyInGraceCannotBeMadeActiveAgain,
	TestARestoredErasureIsDetected,
	TestAChattyAppVersionFillsNoTrail,
	TestOnlyThePreviousKeyIsInGrace,

	TestAPrivateKeyOpensInItsOwnRecordOnly,
	TestAVerifierOpensInItsOwnRowOnly,
	TestAPreviousCredentialDoesNotOpenAsThePresentOne,
	TestAnErasedAccountLeavesNoVerifierBehind,
	TestARepeatThatTheFirstLookMissedIsRefusedAndCostsNoAttempt,
	TestAClientThatHangsUpDoesNotGetItsAttemptBack,
	TestNothingSetCostsTheSameWork,
	TestEveryRepeatCostsTheSameWork,
	TestOneRepeatedCiphertextOfTwoIsEnoughToRefuse,

	TestAStartDistinguishesAWrongRootKeyFromADamagedDatabase,
	TestAMissingRootKeyIsNotMadeForAFilledDatabase,
	TestAFilledDatabaseRefusesAnotherAccountMode,
	TestProcessesThatStartAtOnceMakeOneKeyset,
	TestStopWritesWhatWasOnlyInMemory,
	TestTheBackgroundWorkIsDoneAndEndsWithStop,
	TestAClosedStoreGivesErrorsAndNeverTrue,
	TestATransactionThatGoesWrongIsNeverTakenForAVerdict,
	TestAFlushThatFailsLosesNoCount,
	TestAnActThatIsDoneIsNotReportedAsFailed,
	TestOverloadIsRefusedAndCostsNoAttempt,
	TestAPanicInsideIsAccountedForAndLeavesNothingTaken,
	TestAPrivateKeyIsWipedOnceItIsSealed,

	TestAFilledStoreIsAsClientsWouldHaveLeftIt,
	TestAFilledStoreCanBeFilledFurther,
	TestAnInterruptedFillContinues,
	TestARewrapRestsWhileItCanOnlyWait,
	TestAStoreWithOtherRecordsIsNeverFilled,

	TestTheSummaryIncludesUnfoldedOperationsOfAKilledInstance,
	TestAnInstanceThatRunsFoldsItsOwnChains,
	TestInstancesTieTheChainsOfOneAnother,
	TestAChainThatWasCutOffBehindATieIsFound, TestATieAlsoCoversWhatSomeoneSaysIsTied,
	TestARunningInstanceTiesTheChainsOfAll,
	TestTheKeyGenerationLimitIsOfTheInstanceOrOfTheCluster,
	TestAShedRequestIsNotCountedAsAKeyGeneration,
	TestAStoreThatIsAwayCountsNoKeyGeneration,
	TestParallelRequestsForAKeyAreAnsweredFiveTimes,
	TestWhereGenerationsCountAPresentKeyIsAlwaysAnswered,
	TestAnAccountHasAsManyDevicesAsAreAllowed,
	TestCountsOfKeyGenerationsInTheStoreAreBounded,
	TestUnidentifiedCallersTakeTurnsByAccount,
	TestKeyGenerationsAreCountedInTheStoreAlsoWhileNothingIsRefused,

	TestACheckpointIsRepeatedUntilTheSinkHasIt,
	TestACutTrailIsNotSignedByAProcessThatStartsLater,
	TestNothingIsSignedWhileTheSinkCannotBeRead,
	TestAnOperatorsCheckpointIsInTheTrail,
	TestAServerMakesCheckpointsWhileItRuns,
	TestAPrunedTrailProvesTheSameOfTheRecords,
	TestADamagedTrailIsNotPruned,
	TestAnArchiveAndTheTrailProveTheWholeHistory,
	TestAnArchiveBeginsAfterTheCutOfAnEarlierPrune,
	TestAServerPrunesOnceADay,
	TestAnExportThatAPruneOvertookSaysSo,
	TestAPruneRemovesNoEntryTooMany,
	TestTheLagMetricsShowUnwrittenWork,
	TestAMissingRootKeyIsReported,
	TestAnyRootKeyOfTheListOpensTheDatabase,
	TestAKeysetThatWasPutBackIsRefused,
	TestAnAgeIdentityOpensADatabaseWhoseRootKeysAreLost,
	TestADataKeyIsRotatedUnderRunningInstances,
	TestAServerKeepsSayingWhichDataKeysItHasLearnt,
	TestARowUnderADestroyedDataKeyIsRefused,
	TestAKilledRewrapGoesOn,
	TestSettingsAreUnderTheNewDataKey,
	TestAnEntryUnderADestroyedDataKeyIsFound,
	TestAnInstanceThatCannotLearnADataKey,
	TestMetricsOfTheWorkerPool,

	TestAnActIsRecordedWithActorAndReason,
	TestARepeatedActIsDoneOnce,
	TestAPositionThatNoListGaveIsRefused,
	TestAnOlderDatabaseIsRefusedUntilItIsAcceptedByName,
	TestAWitnessThatWasEditedIsRefusedAndOneOfAnotherStoreIsNot,
	TestLegitimateWorkDoesNotContradictTheWitness,
	TestAWitnessThatIsGoneIsRefusedUntilThatIsAccepted,
	TestAWitnessIsStillNotedAfterAPrune,
	TestAtANewPlaceAWitnessIsBegun,
	TestARunningInstanceBelievesOnlyGenuineNotes,
	TestANoteOfALaterEpochEndsTheService,
	TestAWitnessThatFailsIsLoggedOnce,
	TestTheWitnessListsKeysThatEnded,
	TestTheWitnessOutlivesADataKey,
	TestAnIdleProcessSeesARollback,
	TestRestoredAttemptCountersAreDetected,
	TestEveryRestoredRowIsDetected,
	TestARunningProcessSeesARollbackByItself,
	TestRestoredCountersAllowNoMoreParallelGuessesThanTheLimit,
	TestAnErasureThatWasMadeUpExplainsNothing,
	TestAnEditedRowIsNoRollback, TestAnEditedRowOfAnotherInstanceIsNoRollback,
	TestARestoredErasedRowIsDetected,
	TestARowThatWasErasedBeforeTheStartComesBackOnceAtMost,
	TestAChangeByAnotherInstanceIsNoRollback,
	TestALostCommitIsNoRollback,
	TestALostVerdictIsWrittenAgainBesideALapsedAttempt,
	TestAnErasureIsScrubbedAfterItsCommit,
	TestAPruneStatesChainsThatEndUnderADestroyedDataKey,
	TestARowRestoredBehindAnotherInstanceIsDetected, TestAPruneByAnotherProcessIsNoRollback,
	TestAnIdleInstanceLooksSeldomAndInTime,
	TestAnInstanceThatIsNotAloneLooksAtEachGlance,
	TestReadsOfARoundShareATransaction, TestACanceledReadLeavesTheRound, TestAReadDoesNotWaitForeverForALook,
	TestAForgedNewestEntryDoesNotHideThatAnInstanceIsAtWork,
	TestAnInstanceThatStartsLaterIsFollowed,
	TestAWrongVerdictIsAnsweredOnceAllOthersKnowOfIt,
	TestAnInstanceThatIsBehindReadsOnAtOnce,
	TestEachGuessThatASetIsWaitsLikeAWrongVerdict,
	TestAnInstanceThatDiedIsWaitedForUntilItsLeaseEnds,
	TestASilentInstanceFirstAnnouncesThatItRuns,
	TestTheFirstWrongVerdictOfAnInstanceWaitsUntilOthersKnowIt,
	TestARestoredBeatIsDetected,
	TestAFindingOfOneInstanceReachesTheOthers,
	TestAnAttemptCounterRemovedBehindAnotherInstanceIsDetected,
	TestAnErasedAttemptCounterBeginsAnew,
	TestInstancesTogetherGiveNoMoreWrongVerdictsThanOne,
	TestAVersionThatTwoInstancesWroteIsDetected,
	TestAContradictingTieIsDetected,
	TestARestoredRowThatAnotherInstanceErasedIsDetected,
	TestAnEntryThatWasMadeUpIsNotFollowed,
	TestFollowingFindsNothingInLegitimateWork,
	TestDevicesAreFoundByTheirProperties,
	TestTheCounterOfAClusterIsShownFromTheStore,
	TestAnAccountShowsItsAttemptCountersAndLocks,
	TestAnErasureOfManyKeysIsDoneInPortions,
	TestEntriesThatWereMadeUpAreMarkedAndNotCounted,
	TestATrendOfTooManyLocksShowsTheHoursThatWereCounted,
	TestAccountsArePagedAndFoundByName,
	TestTheEntriesOfARequestAreFoundAtOnce,
	TestTheUseOfAKeyIsNotedOnceAnHour,
	TestAnAddressThatGuessesAtManyAccountsIsSuspected,
	TestADeviceThatGuessesAtManyAccountsIsSuspected,
	TestASiteThatGuessesAtManyAccountsIsSuspected,
	TestRefusedCallersUseUpTheRateOfTheirAddress,
	TestTheNetworksOfASiteShareARate,
	TestAKeyThatIsKeptOpenHoldsNoneOfItsNumbers,
	TestARefusalOfAKeyThatEndedNamesNoEmptyKey,
	TestAResetTestsNoMoreGuessesThanTheHistoryHolds,
	TestTheTrailIsPagedThroughOnceWhileItGrows,
	TestADeviceAloneNamesItsAccountInDeviceMode,
	TestAnExportIsWholeAndGoesOn,
	TestARotationPlanReplacesWhatItSelectsAtNextUse,
	TestAnOperatorWaitsForNoCountOfAllKeys,
	TestAPlanThatRefusesUseRefusesBeforeAnyWork,
	TestAPlanIsRefusedThatSelectsNothingOrTooMuch,
	TestAPlanDoesNotEndByWhatIsDoneToTheDatabase,
	TestAPlanThatHasEndedDoesNotRunAgain,
	TestAnUnchangedPlanIsComparedWithTheTrailEvery10Seconds,
	TestAPlanContinuesWithoutItsEntry,
	TestForgedEntriesEndNoPlan,
	TestAPruneKeepsTheHistoryOfAPlan,
	TestAnErasedAccountIsFoundInTheTrailByItsIdAndByItsHash,
	TestAnErasedAccountLeavesNothingOfItsDevicesInClear,
	TestKeysOfAnAccountThatAnOlderVersionErasedAreRemoved,
	TestAKeyThatWasErasedAndIsPutBackIsSeen,
	TestAnExportHasEverythingOfOneAccountAndIsInTheTrail,
	TestASignedKeySaysWhoseKeyItIs,
	TestWithoutAChallengeAKeyIsSignedOnceInTwelveHours,
	TestAChallengeOfAnotherFormIsRefused,
	TestTheStatusCountsDownToEachLock,
	TestInstancesThatStartTogetherMakeOneSigningKey,
	TestASigningKeyIsReplacedByAge,
	TestASuccessorThatIsLateIsStillPublishedFirst,
	TestAnOperatorRotatesTheSigningKey,
	TestAnEditedSigningKeyIsRefusedAndWithdrawn,
	TestAWithdrawnSigningKeyIsNotPutBack,
	TestTheStatusCountsTheDevicesOwnAttempts,
	TestAStatusCostsNothingAndIsNoOperation,
	TestTheStatusIsOnlyForTheAccountsOwnCaller,
	TestInDeviceModeTheStatusNeedsAProof,
	TestAStatusOfEditedRowsIsRefused,
	TestASecretThatMustBeChangedIsVerifiedAsBeforeUntilItIsSet,
	TestOnlyAResetMaySetASecretThatMustBeChanged,
	TestASearchOfTheTrailSaysHowFarItCame,
	TestAnAccountWithAnEditedNameIsShownAndMarked,
	TestHealthShowsTheInstance,
	TestOperationsAreASeriesOfTheirTime,

	TestHistoriesOfOneAccountAreLinearizable,

	TestNoEventIsLostOrOutOfOrderWithAFailingReceiver,
	TestQueuedEventsOfAKilledProcessGoToTheNewReceiver,
	TestEventsFitTheirSchema,
	TestAnEventThatWasEditedIsNeverSent,
	TestDeadLettersAreListedAndSentAgain,
	TestDeadLettersAreSentAgainTogether,
	TestWithoutAReceiverTheOutboxStaysEmpty,
	TestRemovingTheReceiverEmptiesTheOutbox,
	TestWithTheEventOfAnErasureItsDeadLettersGo,
	TestOneProcessAtATimeSends,

	TestAKeyOfHPKESetsAndVerifies,
	TestAClientThatListsNoAlgorithmGetsRSA,
	TestARotationCanChangeTheAlgorithm,
	TestAListOfAlgorithmsThatFitsNothingIsRefused,
	TestAnotherAlgorithmNeedsTheSameProof,
	TestGuessesUnderAKeyOfHPKEAreCountedExactly,
	TestAReplayedCiphertextOfHPKEIsRefused,
	TestAnEditedAlgorithmIsRefused,
	TestAPlanUpgradesTheDevicesWhoseAppCanUseHPKE,
	TestTheHelperEncryptsForHPKEWhenToldForWhat,
	TestParallelFirstRequestsWithDifferentListsLeaveOneKey,
	TestAKeyOfHPKEIsAdmittedAsOneOfRSA,
	TestEveryEncryptedInputTakesHPKE,
	TestAKeyOfHPKEIsSignedWithItsAlgorithm,
	TestEveryBrokenCiphertextOfHPKEGetsOneAnswer,
	TestUndecryptableCiphertextsOfHPKECostABudgetAndNoAttempt,
	TestIssuedKeysAreCountedByAlgorithm,

	TestAQuietChainThatMovesIsFollowed,
	TestAnEndedChainThatWasCutOffIsDetected,
	TestAnIdleInstanceComparesChainsThatEndedLately,

	TestTheServiceDoesWhatTheModelDoes,
}

// onSQLiteOnly are the other tests, and why they do not run on PostgreSQL.
var onSQLiteOnly = map[string]string{
	"TestTheLinearizabilityCheckCanFail":                         "about the check, not the service",
	"TestTheSchemaRefusesWhatItShould":                           "no store is in it",
	"TestAThrowAwayKeyIsStoredNowhereAndWaitsBehindTheSameDoors": "no store is in it",
	"TestTheSearchOfTheMemoryFindsWhatIsThere":                   "no store is in it",
	"TestNoSecretOfAVerifyStaysInMemory":                         "about the memory of this process",
	"TestNoSecretOfASetStaysInMemory":                            "about the memory of this process",
	"TestNoOpenedPrivateKeyStaysInMemoryAsItWasStored":           "about the memory of this process",
	"TestOnPostgreSQLEachOperationTakesFewRoundTrips":            "starts on PostgreSQL by itself",
	"TestDeadNodesOfTheDatabaseAreLoggedOnceAndNamed":            "about a database that is not asked",
	"TestOnPostgreSQLOperatorsPagesTakeFewRoundTrips":            "starts on PostgreSQL by itself",
	"TestOnPostgreSQLAnIdleInstanceSendsFewStatements":           "starts on PostgreSQL by itself",
	"TestChainsOfEndedProcessesCostNoStatements":                 "starts on PostgreSQL by itself",
	"TestVerdictsHaveAFormThatAllRunningInstancesRead":           "starts on PostgreSQL by itself",
	"TestRetentionDropsTheVerdictsOfAMonthAtOnce":                "likewise",
	"TestEntriesWaitForTheirPartitionForAMonthAtMost":            "likewise",
	"TestAPruneByHandWaitsForNoPartition":                        "likewise",
	"TestThePartitionOfARunningProcessStays":                     "likewise",
	"TestADropWaitsForTransactionsThatBeganBefore":               "likewise",
	"TestErasedKeysAndVerifiersAreNotInTheFiles":                 "about the files of SQLite",
	"TestABlockedScrubIsRetriedRarely":                           "about the WAL of SQLite",
	"TestWithoutACredentialTheAlgorithmsAreMixedAsWithOne":       "about hashes, and takes many verifies",
	"TestOnPostgreSQL":                                           "runs the others",
	"TestEveryTestRunsOnPostgreSQLOrSaysWhyNot":                  "about the tests",
}

// A test that was forgotten would leave its promise untested there.
func TestEveryTestRunsOnPostgreSQLOrSaysWhyNot(t *testing.T) {
	listed := map[string]bool{}
	for _, test := range onPostgreSQL {
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
				t.Errorf("%s must be in one of onPostgreSQL and onSQLiteOnly", name)
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
		url = pgtest.Database(t)
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

func empty(t testing.TB, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var statements []string
	for _, table := range store.Tables {
		statements = append(statements, "DELETE FROM "+table.Name)
	}
	pgtest.Shared(t).Exec(t, strings.TrimPrefix(u.Path, "/"), strings.Join(statements, ";")) // one transaction
	emptied.Lock()
	defer emptied.Unlock()
	emptied.urls = append(emptied.urls, address)
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
