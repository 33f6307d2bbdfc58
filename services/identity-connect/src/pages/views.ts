/** What the pages show. Whoever answers a request fills these in; a page only writes them out. */

/** The application that wants somebody signed in, as its owner registered it. */
export interface ClientView {
  readonly name: string
  readonly uri?: string | undefined
  readonly logoUri?: string | undefined
  readonly policyUri?: string | undefined
  readonly tosUri?: string | undefined
  /** Where it sends people by test mode alone. */
  readonly testHost?: string | undefined
}

/** `popup` is the same page without anything that leads away from the task; `modal` is shown in a frame. */
export type Display = 'page' | 'popup' | 'modal'

/** What all pages have in common. */
export interface Frame {
  /** The path under which the service is mounted: `/identity-connect`. */
  readonly base: string
  /** The name of the installation, from its settings. */
  readonly brand: string
  readonly display: Display
  /** The installation has a stylesheet of its own at `${base}/assets/theme.css`. */
  readonly themed?: boolean | undefined
  readonly problem?: string | undefined
  readonly notice?: string | undefined
}

/** One step of an authorization. Forms post to `${action}/<step>`, such as `/identity-connect/interaction/<uid>/sign-in`. */
export interface Step extends Frame {
  readonly action: string
  readonly client: ClientView
}

/** Stands in a frame and asks nothing: `address` opens the sign-in in a window. */
export interface ModalView extends Frame {
  readonly client: ClientView
  readonly address: string
}

/** Where such a window ends: `outcome` is the address at the application that the frame is to go on to. */
export interface HandoverView extends Frame {
  readonly client: ClientView
  readonly outcome: string
}

/** Posts `email`, `password` to /sign-in, `assertion` to /passkey; GET /passkey-options answers JSON; POST /cancel. */
export interface SignInView extends Step {
  readonly email?: string | undefined
  readonly signUpOffered: boolean
}

/** Posts `name`, `email`, `password` to /sign-up. */
export interface SignUpView extends Step {
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** The address is the one that was invited and cannot be changed. */
  readonly emailFixed: boolean
  /** Whoever was invited has an account already: nothing is asked of them but to accept. */
  readonly hasAccount?: boolean | undefined
}

export interface ScopeView {
  readonly scope: string
  /** In the person's words: 'Your e-mail address'. */
  readonly says: string
  /** The values that would be shared now: 'ada@example.com'. */
  readonly shares: readonly string[]
  readonly isNew: boolean
}

/** Posts nothing to /consent or to /cancel. */
export interface ConsentView extends Step {
  readonly person: { readonly name?: string | undefined; readonly email: string }
  readonly scopes: readonly ScopeView[]
}

/** Posts `email` to /forgot. */
export interface ForgotView extends Frame {
  readonly email?: string | undefined
}

/** Posts `token`, `password` to /reset. */
export interface ResetView extends Frame {
  readonly token: string
}

/**
 * Posts `token` to /verify: a mail scanner that follows links must not verify anything. Whoever is not signed in to the
 * account posts the `password` of one of their own with it.
 */
export interface VerifyView extends Frame {
  readonly token: string
  readonly email: string
  /** Whoever made the account sits here: they are signed in to it. */
  readonly isTheirs: boolean
}

export interface SessionView {
  readonly id: string
  readonly isThis: boolean
  readonly since: Date
  readonly browser: string
  readonly clients: readonly string[]
}

export interface PasskeyView {
  readonly id: string
  readonly name: string
  readonly addedAt: Date
  readonly usedAt?: Date | undefined
}

export interface GrantedView {
  readonly clientId: string
  readonly client: ClientView
  readonly says: readonly string[]
  readonly since: Date
}

/**
 * Posts to /account/profile (name, given_name, family_name, phone_number, locale, zoneinfo, street_address, locality,
 * region, postal_code, country), /account/password (current, password), /account/verify (nothing: sends the mail again),
 * /account/passkeys (name, attestation; GET /account/passkey-options answers JSON), /account/passkeys/<id>/delete,
 * /account/sessions/<id>/end, /account/grants/<clientId>/revoke, /account/delete (password), /account/sign-out.
 */
export interface AccountView extends Frame {
  readonly person: {
    readonly email: string
    readonly emailVerified: boolean
    readonly hasPassword: boolean
    readonly profile: Readonly<Record<string, string>>
  }
  readonly passkeys: readonly PasskeyView[]
  readonly sessions: readonly SessionView[]
  readonly grants: readonly GrantedView[]
  /** The form that `problem` is about: its fields point to the problem, and the problem to them. */
  readonly problemAt?: 'profile' | 'password' | 'passkeys' | 'delete' | undefined
}

/** `form` is made by the protocol library: its hidden fields end the session. */
export interface SignOutView extends Frame {
  readonly client?: ClientView | undefined
  readonly action: string
  readonly secret: string
}

export interface MessageView extends Frame {
  readonly title: string
  readonly text: string
  readonly link?: { readonly href: string; readonly says: string } | undefined
}

/** A request that cannot go on, in words for the person and details for the developer. */
export interface ErrorView extends Frame {
  readonly title: string
  readonly text: string
  readonly error: string
  readonly description?: string | undefined
}
