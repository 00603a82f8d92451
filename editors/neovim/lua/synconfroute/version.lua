-- The version of this plugin. Where major and minor differ from the server's, the server says so.
return '0.1.0'
