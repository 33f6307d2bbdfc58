export const serviceName = 'banking'

/** Headers in the specification's spelling, and in that of the bank it describes; in lower case, as they come. */
const both = (rest: string) => [`x-vendor-${rest}`, `x-bunq-${rest}`] as const

export const headerNames = {
  authentication: both('client-authentication'),
  clientSignature: both('client-signature'),
  requestId: both('client-request-id'),
  serverSignature: both('server-signature'),
  responseId: both('client-response-id'),
  attachmentDescription: both('attachment-description'),
  geolocation: both('geolocation'),
} as const

/** A message that names headers, for a caller who writes the original ones. */
export const withOriginalHeaders = (message: string) => message.replaceAll('X-Vendor-', 'X-Bunq-')

/** Parts of names of fields, of wrappers and of paths whose original spelling differs. */
const originalParts: readonly (readonly [neutral: string, original: string])[] = [
  ['vendor_me', 'bunq_me'],
  ['vendorme', 'bunqme'],
  ['vendorto', 'bunqto'],
  ['VendorMe', 'BunqMe'],
  ['transferprovider', 'transferwise'],
]

const spelledOriginally = new Map<string, string>()

/** The original name of a field or wrapper. There are a few hundred names in all, so each is worked out once. */
export function originalName(name: string): string {
  let original = spelledOriginally.get(name)
  if (original === undefined) {
    original = originalParts.reduce((text, [neutral, other]) => text.replaceAll(neutral, other), name)
    spelledOriginally.set(name, original)
  }
  return original
}

/** The name of a field as the contract writes it. */
export const neutralName = (name: string): string =>
  originalParts.reduce((text, [neutral, original]) => text.replaceAll(original, neutral), name)

/** The path of an operation in all the ways in which callers may write it beside the contract's. */
export function otherPaths(path: string): readonly string[] {
  const original = originalName(path)
  return original === path ? [`/v1${path}`] : [original, `/v1${path}`, `/v1${original}`]
}

/** Whoever sends a request for money to one of these gets it at once, up to a limit. */
export const sugarDaddies: readonly string[] = ['sugardaddy@vendor.example', 'sugardaddy@bunq.com']

/** As a category of notifications. */
export const originalTabCategory = 'BUNQME_TAB'
