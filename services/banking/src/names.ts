export const serviceName = 'banking'

/** Header names in the specification's and in the original spelling, in lower case as Node has them. */
const both = (suffix: string) => [`x-vendor-${suffix}`, `x-bunq-${suffix}`] as const

export const headerNames = {
  authentication: both('client-authentication'),
  clientSignature: both('client-signature'),
  requestId: both('client-request-id'),
  serverSignature: both('server-signature'),
  responseId: both('client-response-id'),
  attachmentDescription: both('attachment-description'),
  geolocation: both('geolocation'),
} as const

/** Renames headers in a message for callers who use the original ones. */
export const withOriginalHeaders = (message: string) => message.replaceAll('X-Vendor-', 'X-Bunq-')

/** Parts of field, wrapper and path names whose original spelling differs. */
const originalParts: readonly (readonly [neutral: string, original: string])[] = [
  ['vendor_me', 'bunq_me'],
  ['vendorme', 'bunqme'],
  ['vendorto', 'bunqto'],
  ['VendorMe', 'BunqMe'],
  ['transferprovider', 'transferwise'],
]

const originalNames = new Map<string, string>()

/** The original name of a field or wrapper, memoized: there are a few hundred in all. */
export function originalName(name: string): string {
  let original = originalNames.get(name)
  if (original === undefined) {
    original = originalParts.reduce((text, [neutral, other]) => text.replaceAll(neutral, other), name)
    originalNames.set(name, original)
  }
  return original
}

/** The contract's name of a field. */
export const neutralName = (name: string): string =>
  originalParts.reduce((text, [neutral, original]) => text.replaceAll(original, neutral), name)

/** Alternative spellings of a path. */
export function otherPaths(path: string): readonly string[] {
  const original = originalName(path)
  return original === path ? [`/v1${path}`] : [original, `/v1${path}`, `/v1${original}`]
}

/** Requests for money to these addresses are granted immediately, up to a limit. */
export const sugarDaddies: readonly string[] = ['sugardaddy@vendor.example', 'sugardaddy@bunq.com']

/** The notification category of tabs. */
export const originalTabCategory = 'BUNQME_TAB'
