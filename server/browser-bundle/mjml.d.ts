declare module 'mjml' {
  export default function mjml2html(
    mjml: string,
    /** `fonts`: web fonts that are loaded when a template names them; the default list is Google's. */
    options: { validationLevel: 'soft'; keepComments: boolean; fonts: Record<string, string> },
  ): Promise<{ html: string; errors: { formattedMessage: string }[] }>
}
