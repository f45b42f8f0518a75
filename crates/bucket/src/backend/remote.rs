//! Keepers over the network. Their settings are the variables that the ecosystem knows; each is looked up by name.

use std::{str::FromStr, sync::Arc, time::Duration};

use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use storymill_core::{Fault, FaultKind};

use super::Backend;
use crate::{Env, address::Address, secrets::Secrets};

/// How long one request may take, and connecting.
const REQUEST: Duration = Duration::from_mins(5);
const CONNECT: Duration = Duration::from_secs(10);

/// How often, and for how long, a server is asked again that is busy or out of reach.
fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(5),
            base: 2.0,
        },
        max_retries: 8,
        retry_timeout: Duration::from_mins(1),
    }
}

fn client() -> ClientOptions {
    // Another crate of the program may have chosen a provider already; then that one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    ClientOptions::new().with_timeout(REQUEST).with_connect_timeout(CONNECT)
}

/// What the environment says: settings by the keys of a builder. The values of secret ones are noted.
fn settings<K: FromStr>(
    environment: &Env<'_>,
    open: &[&str],
    secret: &[&str],
    secrets: &mut Secrets,
) -> Vec<(K, String)> {
    let mut found = Vec::new();
    for name in open.iter().chain(secret) {
        let Some(value) = environment(name).filter(|value| !value.is_empty()) else { continue };
        if secret.contains(name) {
            secrets.add(&value);
        }
        if let Ok(key) = name.to_ascii_lowercase().parse() {
            found.push((key, value));
        }
    }
    found
}

fn opened<S: ObjectStore>(
    built: object_store::Result<S>,
    secrets: Secrets,
) -> Result<Backend, Fault> {
    let store = built.map_err(|error| {
        let message = format!("the store cannot be opened: {}", secrets.tell(&error));
        Fault::new(FaultKind::Input, message).hint("docs/store.md lists the variables of the environment that say where it is and who may use it")
    })?;
    Ok(Backend { store: Arc::new(store), secrets, has_marks: true })
}

#[cfg(feature = "s3")]
pub(super) fn s3(address: &Address, environment: &Env<'_>) -> Result<Backend, Fault> {
    use object_store::aws::AmazonS3Builder;

    const OPEN: &[&str] = &[
        "AWS_ALLOW_HTTP",
        "AWS_CONNECT_TIMEOUT",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "AWS_DEFAULT_REGION",
        "AWS_ENDPOINT",
        "AWS_ENDPOINT_URL",
        "AWS_ENDPOINT_URL_S3",
        "AWS_ENDPOINT_URL_STS",
        "AWS_IMDSV1_FALLBACK",
        "AWS_METADATA_ENDPOINT",
        "AWS_REGION",
        "AWS_REQUEST_PAYER",
        "AWS_ROLE_ARN",
        "AWS_ROLE_SESSION_NAME",
        "AWS_S3_EXPRESS",
        "AWS_SERVER_SIDE_ENCRYPTION",
        "AWS_SKIP_SIGNATURE",
        "AWS_SSE_BUCKET_KEY_ENABLED",
        "AWS_SSE_KMS_KEY_ID",
        "AWS_TIMEOUT",
        "AWS_UNSIGNED_PAYLOAD",
        "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
    ];
    const SECRET: &[&str] = &[
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_SSE_CUSTOMER_KEY_BASE64",
    ];
    let mut secrets = Secrets::default();
    let settings = settings(environment, OPEN, SECRET, &mut secrets);
    let builder = AmazonS3Builder::new().with_client_options(client()).with_retry(retries());
    let builder =
        settings.into_iter().fold(builder, |builder, (key, value)| builder.with_config(key, value));
    opened(builder.with_bucket_name(&address.bucket).build(), secrets)
}

#[cfg(feature = "gcs")]
pub(super) fn gcs(address: &Address, environment: &Env<'_>) -> Result<Backend, Fault> {
    use object_store::gcp::GoogleCloudStorageBuilder;

    const OPEN: &[&str] = &[
        "GOOGLE_ALLOW_HTTP",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_BASE_URL",
        "GOOGLE_SERVICE_ACCOUNT",
        "GOOGLE_SERVICE_ACCOUNT_PATH",
        "GOOGLE_SKIP_SIGNATURE",
    ];
    const SECRET: &[&str] = &["GOOGLE_BEARER_TOKEN", "GOOGLE_SERVICE_ACCOUNT_KEY"];
    let mut secrets = Secrets::default();
    let settings = settings(environment, OPEN, SECRET, &mut secrets);
    let builder =
        GoogleCloudStorageBuilder::new().with_client_options(client()).with_retry(retries());
    let builder =
        settings.into_iter().fold(builder, |builder, (key, value)| builder.with_config(key, value));
    opened(builder.with_bucket_name(&address.bucket).build(), secrets)
}

#[cfg(feature = "azure")]
pub(super) fn azure(address: &Address, environment: &Env<'_>) -> Result<Backend, Fault> {
    use object_store::azure::MicrosoftAzureBuilder;

    const OPEN: &[&str] = &[
        "AZURE_ALLOW_HTTP",
        "AZURE_AUTHORITY_HOST",
        "AZURE_CLIENT_ID",
        "AZURE_FEDERATED_TOKEN_FILE",
        "AZURE_MSI_ENDPOINT",
        "AZURE_STORAGE_ACCOUNT_NAME",
        "AZURE_STORAGE_ENDPOINT",
        "AZURE_STORAGE_USE_EMULATOR",
        "AZURE_TENANT_ID",
        "AZURE_USE_AZURE_CLI",
    ];
    const SECRET: &[&str] = &[
        "AZURE_CLIENT_SECRET",
        "AZURE_STORAGE_ACCESS_KEY",
        "AZURE_STORAGE_ACCOUNT_KEY",
        "AZURE_STORAGE_SAS_KEY",
        "AZURE_STORAGE_SAS_TOKEN",
        "AZURE_STORAGE_TOKEN",
    ];
    let mut secrets = Secrets::default();
    let settings = settings(environment, OPEN, SECRET, &mut secrets);
    let builder = MicrosoftAzureBuilder::new().with_client_options(client()).with_retry(retries());
    let builder =
        settings.into_iter().fold(builder, |builder, (key, value)| builder.with_config(key, value));
    opened(builder.with_container_name(&address.bucket).build(), secrets)
}
