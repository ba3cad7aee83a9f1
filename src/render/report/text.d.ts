declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.client.js" {
  const text: string;
  export default text;
}

declare module "@highlightjs/cdn-assets/highlight.min.js" {
  const text: string;
  export default text;
}
