/** How mail leaves: through a server, or into a folder where a developer can read it. */
export type MailTransport =
  | { readonly kind: 'smtp'; readonly url: string }
  | { readonly kind: 'directory'; readonly path: string }

/** What an operator decides about the identity service. */
export interface IdentitySettings {
  /** The name that people see on the pages. */
  readonly brand: string
  /** Whether anybody may make an account, or only who was invited. */
  readonly signUp: 'open' | 'invitation'
  readonly mail: { readonly from: string; readonly transport: MailTransport }
  /** A style sheet that is loaded after ours: colours, font, corners. */
  readonly theme?: string | undefined
}

export const defaultSettings: IdentitySettings = {
  brand: 'Icosa',
  signUp: 'invitation',
  mail: { from: 'Icosa <no-reply@localhost>', transport: { kind: 'directory', path: '.icosa/mail' } },
}
