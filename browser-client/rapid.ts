import { defaultToModal } from './create-checkout.ts'
import { startLibrary } from './start.ts'

// {base_url}/js/rapid.js: the same library; a session is a modal unless the page says otherwise.

defaultToModal()
startLibrary()
