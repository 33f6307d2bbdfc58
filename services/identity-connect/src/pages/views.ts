/** View models: routes fill them in, pages only render them. */

/** A client, as registered. */
export interface ClientView {
  readonly name: string
  readonly uri?: string | undefined
  readonly logoUri?: string | undefined
  readonly policyUri?: string | undefined
  readonly tosUri?: string | undefined
  /** The unregistered host that it redirects to in test mode. */
  readonly testHost?: string | undefined
}

/** `popup` is the page without links that leave the task; `modal` is shown in a frame. */
export type Display = 'page' | 'popup' | 'modal'

/** Common to all pages. */
export interface Frame {
  /** The mount path of the service: `/identity-connect`. */
  readonly base: string
  /** The name of the installation. */
  readonly brand: string
  readonly display: Display
  /** The installation has a custom stylesheet at `${base}/assets/theme.css`. */
  readonly themed?: boolean | undefined
  readonly problem?: string | undefined
  readonly notice?: string | undefined
}

/** One step of an authorization. Forms post to `${action}/<step>`, such as `/identity-connect/interaction/<uid>/sign-in`. */
export interface Step extends Frame {
  readonly action: string
  readonly client: ClientView
}

/** Shown in a frame, without prompts: `address` opens the sign-in in a window. */
export interface ModalView extends Frame {
  readonly client: ClientView
  readonly address: string
}

/** The last page of such a window: `outcome` is the URL of the application at which the frame continues. */
export interface HandoverView extends Frame {
  readonly client: ClientView
  readonly outcome: string
}

/** Posts `email`, `password` to /sign-in, `assertion` to /passkey; GET /passkey-options returns JSON; POST /cancel. */
export interface SignInView extends Step {
  readonly email?: string | undefined
  readonly signUpOffered: boolean
}

/** Posts `name`, `email`, `password` to /sign-up. */
export interface SignUpView extends Step {
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** The address is the invited one, and cannot be changed. */
  readonly emailFixed: boolean
  /** The invited user already has an account, and only needs to accept. */
  readonly hasAccount?: boolean | undefined
}

export interface ScopeView {
  readonly scope: string
  /** For users: 'Your e-mail address'. */
  readonly label: string
  /** The current values: 'ada@example.com'. */
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
 * Posts `token` to /verify: a mail scanner that follows links must not verify anything. Visitors who are not signed in to the
 * account also post a new `password`.
 */
export interface VerifyView extends Frame {
  readonly token: string
  readonly email: string
  /** Whether the visitor is signed in to the account. */
  readonly isOwner: boolean
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
  /** Labels of the granted scopes. */
  readonly scopes: readonly string[]
  readonly since: Date
}

/**
 * Posts to /account/profile (name, given_name, family_name, phone_number, locale, zoneinfo, street_address, locality,
 * region, postal_code, country), /account/password (current, password), /account/verify (nothing: resends the mail),
 * /account/passkeys (name, attestation; GET /account/passkey-options returns JSON), /account/passkeys/<id>/delete,
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
  /** The form that `problem` is about; the two are linked. */
  readonly problemAt?: 'profile' | 'password' | 'passkeys' | 'delete' | undefined
}

export interface SignOutView extends Frame {
  readonly client?: ClientView | undefined
  readonly action: string
  readonly secret: string
}

export interface MessageView extends Frame {
  readonly title: string
  readonly text: string
  readonly link?: { readonly href: string; readonly label: string } | undefined
}

/** A failed request, with a message for users and details for developers. */
export interface ErrorView extends Frame {
  readonly title: string
  readonly text: string
  readonly error: string
  readonly description?: string | undefined
}
