import { defaultToModal } from './create-checkout.ts'
import { startLibrary } from './start.ts'

// {base_url}/js/rapid.js: the same library, but a session is a modal by default.

defaultToModal()
startLibrary()
