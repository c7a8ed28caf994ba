/** Signs in, on its page or over another one. */
export default function SignInForm(_props: { onDone(): void }) {
  return null
}
