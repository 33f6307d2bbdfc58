import type { Views } from '@icosa/contract'

/** The roles of each kind of entity. */
const roleViews = Object.fromEntries(
  ['Entity', 'ClosedList', 'CompositeEntity', 'HierarchicalEntity', 'Prebuilt', 'RegexEntity', 'PatternAnyEntity'].map(
    (kind) => [
      `${kind}Roles_List`,
      {
        title: 'Roles',
        about: 'A role distinguishes two uses of an entity, such as origin and destination.',
        columns: ['name'],
        example: { name: 'from' },
      },
    ],
  ),
)

export const views: Views = {
  group: 'Language and faces',
  resources: {
    Apps_List: {
      title: 'Language apps',
      type: 'language-authoring/apps',
      about: 'An app recognizes intents and entities in what people say, trained on example utterances.',
      columns: ['name', 'culture', 'activeVersion', 'endpointHitsCount', 'createdDateTime'],
      actions: ['Apps_Publish'],
      example: { name: 'Travel', culture: 'en-us' },
      panels: [
        {
          title: 'Test',
          operation: 'Prediction_GetSlotPredictionGET',
          about: 'What the published version understands.',
          query: { verbose: 'true', 'show-all-intents': 'true' },
          ask: { slotName: 'production', query: 'book a flight to Rome' },
          show: {
            as: 'marked',
            text: 'query',
            marks: 'prediction.entities.$instance',
            start: 'startIndex',
            length: 'length',
            mark: 'name',
            rows: 'prediction.intents',
            label: 'name',
            value: 'score',
          },
        },
      ],
    },
    Versions_List: {
      title: 'Versions',
      about: 'Each version of an app is trained and published separately.',
      columns: ['version', 'trainingStatus', 'intentsCount', 'entitiesCount', 'lastTrainedDateTime'],
      state: 'trainingStatus',
      key: { versionId: 'version' },
      create: null,
      actions: ['Training_TrainVersion', 'Versions_Clone'],
      panels: [
        {
          title: 'Test',
          operation: 'Prediction_GetVersionPredictionGET',
          about: 'What the version understands, once it is trained.',
          query: { verbose: 'true', 'show-all-intents': 'true' },
          ask: { query: 'book a flight to Rome' },
          show: {
            as: 'marked',
            text: 'query',
            marks: 'prediction.entities.$instance',
            start: 'startIndex',
            length: 'length',
            mark: 'name',
            rows: 'prediction.intents',
            label: 'name',
            value: 'score',
          },
        },
        {
          title: 'Training',
          operation: 'Training_GetStatus',
          show: { as: 'table', rows: '' },
          columns: ['modelId', 'details.status', 'details.exampleCount', 'details.failureReason'],
        },
      ],
    },
    Intents_List: {
      title: 'Intents',
      about: 'An intent is what a person wants to do.',
      columns: ['name', 'readableType'],
      example: { name: 'BookFlight' },
    },
    Examples_List: {
      title: 'Utterances',
      about: 'An utterance is an example of an intent.',
      columns: ['text', 'intentLabel'],
      create: 'Examples_Add',
      example: { text: 'book a flight to Rome', intentName: 'BookFlight' },
    },
    Entities_List: {
      title: 'Entities',
      about: 'An entity is a detail in an utterance, such as a city.',
      columns: ['name', 'readableType'],
      example: { name: 'City' },
    },
    ClosedLists_List: {
      title: 'List entities',
      about: 'A list entity matches words and their synonyms.',
      columns: ['name', 'readableType'],
      example: { name: 'Class', subLists: [{ canonicalForm: 'economy', list: ['coach'] }] },
    },
    RegexEntities_List: {
      title: 'Pattern entities',
      about: 'A pattern entity matches a regular expression.',
      columns: ['name', 'regexPattern'],
      example: { name: 'FlightNumber', regexPattern: '[A-Z]{2}\\d{3,4}' },
    },
    PatternAnyEntities_List: {
      title: 'Open entities',
      about: 'An open entity matches text of any length within a pattern.',
      columns: ['name', 'readableType'],
      example: { name: 'Title' },
    },
    Prebuilts_List: {
      title: 'Prebuilt entities',
      about: 'Prebuilt entities, such as numbers and dates, need no examples.',
      columns: ['name', 'readableType'],
      example: ['number'],
    },
    CompositeEntities_List: { title: 'Composite entities', columns: ['name', 'readableType'] },
    HierarchicalEntities_List: { title: 'Hierarchical entities', columns: ['name', 'readableType'] },
    PhraseLists_List: {
      title: 'Phrase lists',
      about: 'A phrase list groups related words as a hint for training.',
      columns: ['name', 'phrases', 'isActive'],
      example: { name: 'Cities', phrases: 'Rome,Paris,Oslo' },
    },
    Patterns_ListPatterns: {
      title: 'Patterns',
      about: 'A pattern is an utterance with placeholders for entities.',
      columns: ['pattern', 'intent'],
      create: 'Patterns_AddPattern',
      example: { pattern: 'book a flight to {City}', intent: 'BookFlight' },
    },
    PatternAnyEntities_GetExplicitList: {
      title: 'Exceptions',
      columns: ['explicitListItem'],
      example: { explicitListItem: 'to be or not to be' },
    },
    VersionSettings_List: { title: 'Version settings', columns: ['name', 'value'] },
    ...roleViews,
  },
  others: [
    ...['Apps_ListSupportedCultures', 'IntentFeatures_List', 'EntityFeatures_List', 'Prebuilts_ListAvailable'],
    ...['Patterns_ListIntentPatterns', 'Models_List', 'Models_ListExamples', 'Training_GetStatus'],
    ...['PrebuiltDomains_ListAvailable', 'PrebuiltDomains_ListAvailableForCulture', 'PrebuiltDomains_ListIntents'],
    ...['PrebuiltDomains_ListEntities', 'PrebuiltDomains_ListModels', 'Suggestions_OfIntent', 'Suggestions_OfEntity'],
    ...['Unbuilt_ListUserAccounts', 'Unbuilt_GetAssignedAccounts', 'CustomPrebuiltEntityRoles_List'],
  ],
}
