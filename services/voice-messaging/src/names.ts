export const serviceName = 'voice-messaging'

/** Service name in the scope of a signature. */
export const signingNames = ['sms-voice'] as const

/** Service of an ARN, and resource type of a configuration set. */
export const arnService = 'sms-voice'
export const configurationSetType = 'AWS::SMSVOICE::ConfigurationSet'

/** Service and resource prefix of the ARN of each kind of destination. */
export const destinationArns = {
  log: { service: 'logs', prefix: 'log-group:' },
  stream: { service: 'firehose', prefix: 'deliverystream/' },
  topic: { service: 'sns', prefix: '' },
} as const

/** Headers of a batch that a stream sends to an HTTP endpoint. */
export const streamHeaders = {
  version: 'X-Amz-Firehose-Protocol-Version',
  requestId: 'X-Amz-Firehose-Request-Id',
  source: 'X-Amz-Firehose-Source-Arn',
} as const

interface VoicesOf {
  readonly female?: string
  readonly male?: string
}

/** The original's voices by language. Each after the first is a variant. */
export const voiceNames: Readonly<Record<string, VoicesOf>> = {
  arb: { female: 'Zeina' },
  'ar-AE': { female: 'Hala', male: 'Zayd' },
  'ca-ES': { female: 'Arlet' },
  'cmn-CN': { female: 'Zhiyu' },
  'cs-CZ': { female: 'Jitka' },
  'cy-GB': { female: 'Gwyneth' },
  'da-DK': { female: 'Naja Sofie', male: 'Mads' },
  'de-AT': { female: 'Hannah' },
  'de-CH': { female: 'Sabrina' },
  'de-DE': { female: 'Marlene Vicki', male: 'Hans Daniel' },
  'en-AU': { female: 'Nicole Olivia', male: 'Russell' },
  'en-GB': { female: 'Amy Emma', male: 'Brian Arthur' },
  'en-GB-WLS': { male: 'Geraint' },
  'en-IE': { female: 'Niamh' },
  'en-IN': { female: 'Aditi Raveena Kajal' },
  'en-NZ': { female: 'Aria' },
  'en-SG': { female: 'Jasmine' },
  'en-US': {
    female: 'Joanna Salli Kendra Kimberly Ivy Danielle Ruth',
    male: 'Matthew Joey Justin Kevin Gregory Stephen Patrick',
  },
  'en-ZA': { female: 'Ayanda' },
  'es-ES': { female: 'Conchita Lucia Alba', male: 'Enrique Sergio Raul' },
  'es-MX': { female: 'Mia', male: 'Andres' },
  'es-US': { female: 'Penelope Lupe', male: 'Miguel Pedro' },
  'fi-FI': { female: 'Suvi' },
  'fr-BE': { female: 'Isabelle' },
  'fr-CA': { female: 'Chantal Gabrielle', male: 'Liam' },
  'fr-FR': { female: 'Celine Lea', male: 'Mathieu Remi' },
  'is-IS': { female: 'Dora', male: 'Karl' },
  'it-IT': { female: 'Carla Bianca', male: 'Giorgio Adriano' },
  'ja-JP': { female: 'Mizuki Kazuha Tomoko', male: 'Takumi' },
  'ko-KR': { female: 'Seoyeon Jihye' },
  'nb-NO': { female: 'Liv Ida' },
  'nl-BE': { female: 'Lisa' },
  'nl-NL': { female: 'Lotte Laura', male: 'Ruben' },
  'pl-PL': { female: 'Ewa Maja Ola', male: 'Jacek Jan' },
  'pt-BR': { female: 'Camila Vitoria', male: 'Ricardo Thiago' },
  'pt-PT': { female: 'Ines', male: 'Cristiano' },
  'ro-RO': { female: 'Carmen' },
  'ru-RU': { female: 'Tatyana', male: 'Maxim' },
  'sv-SE': { female: 'Astrid Elin' },
  'tr-TR': { female: 'Filiz Burcu' },
  'yue-CN': { female: 'Hiujin' },
}
