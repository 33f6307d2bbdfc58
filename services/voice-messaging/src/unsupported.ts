import type { Gaps } from '@icosa/module'

export const unsupported = {
  elements: {
    name: 'SSML with `audio`, `lang`, `mark`, `w` or vendor extensions',
    answer: 400,
    instead: 'Use `speak`, `p`, `s`, `break`, `say-as`, `prosody`, `emphasis`, `sub` and `phoneme`.',
  },
  sayAs: {
    name: '`say-as` with `address`, `fraction` or `unit`',
    answer: 400,
    instead: 'Write it out in words.',
  },
  sayAsLanguages: {
    name: '`say-as` with `ordinal` outside English, French, Italian, Portuguese, Spanish and Swedish, or with `date` in a language without month names',
    answer: 400,
    instead: 'Write it out in words.',
  },
  phoneme: {
    name: '`phoneme` outside English, or in another alphabet than `ipa` and `x-sampa`',
    answer: 400,
    instead: 'Use `sub`, with a spelling that is pronounced correctly.',
  },
  languages: {
    name: 'a `LanguageCode` that espeak-ng does not speak',
    answer: 400,
    instead: 'Use one such as `en-US`, `de-DE` or `arb`.',
  },
  iamRoleArn: {
    name: '`IamRoleArn`',
    answer: 'no effect',
    instead: 'It is stored and returned. No role is assumed.',
  },
  arns: {
    name: 'partition, region and account in the ARN of a destination',
    answer: 'no effect',
    instead: "Destinations belong to the caller's own account.",
  },
  voiceId: {
    name: '`VoiceId`',
    answer: 'differs',
    instead: 'The name selects language and timbre. The voice is that of espeak-ng.',
  },
  callInstructions: {
    name: '`CallInstructionsMessage`',
    answer: 'differs',
    instead: "It accepts the SSML elements above: the original's own markup is not public.",
  },
  destinations: {
    name: '`CloudWatchLogsDestination`, `KinesisFirehoseDestination` and `SnsDestination`',
    answer: 'differs',
    instead: 'Events go to log files, URLs and the broker of the operator: see "Event destinations".',
  },
  originationPhoneNumber: {
    name: '`OriginationPhoneNumber` that belongs to the account',
    answer: 'differs',
    instead: 'Any number is accepted. The SIP trunk decides whether it may be shown.',
  },
} as const satisfies Gaps
